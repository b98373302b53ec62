package least

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestFold checks that the search of a fold, which leaves outcomes out, recommends what a
// study of the other requests does, and that the part begins with the state that they left.
func TestFold(t *testing.T) {
	draw := rand.New(rand.NewPCG(37, 9))
	compared := 0
	for trial := range 60 {
		rows := drawn(draw, trial%2 == 1)
		whole, err := NewStudy(played(rows), 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := Goal{AtMost: units.Fraction{Num: draw.Int64N(4), Den: 20}}
		for i := range 3 {
			f, err := whole.Fold(i, 3)
			if err != nil {
				t.Fatal(err)
			}
			in := func(r request) bool { return f.FromNs <= r.time && r.time < f.ToNs }
			others, err := NewStudy(played(slices.DeleteFunc(slices.Clone(rows), in)), 3, nil)
			if err != nil {
				t.Fatal(err)
			}
			for a := range algorithms {
				a := &algorithms[a]
				candidates := others.Candidates(a, []int64{1e9, 3e9})
				got, err := f.Others.Solve(a, candidates, g, false)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := others.Solve(a, candidates, g, false)
				x, y := Recommend(got.Outcomes, false), Recommend(want.Outcomes, false)
				if x < 0 && y < 0 {
					continue
				}
				compared++
				limit := want.Outcomes[y].Limit
				if got.Outcomes[x].Limit != limit {
					t.Errorf("trial %d, part %d, %s: %+v, want %+v", trial, i, a.Name, got.Outcomes[x].Limit, limit)
				}
				if o, err := whole.Refused(a, limit, f); err != nil || o.Requests != refusedIn(t, a, limit, rows, in) {
					t.Errorf("trial %d, part %d, %s: %d refused, %v", trial, i, a.Name, o.Requests, err)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d settings were compared", compared)
	}
}

// refusedIn decides all requests with a counter and counts those in a part that it refuses.
func refusedIn(t *testing.T, a *Algorithm, limit counter.Limit, rows []request, in func(request) bool) (n int64) {
	table, err := a.table(limit, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if table.Take(r.key, r.time, r.cost) == counter.Rejected && in(r) {
			n++
		}
	}
	return n
}
