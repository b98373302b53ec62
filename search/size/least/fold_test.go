package least

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
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
			f, err := whole.Fold(i, 3, counting.Limit{})
			if err != nil {
				t.Fatal(err)
			}
			in := func(r request) bool { return f.FromNs <= r.time && r.time < f.ToNs }
			others, err := NewStudy(played(slices.DeleteFunc(slices.Clone(rows), in)), 3, nil)
			if err != nil {
				t.Fatal(err)
			}
			part := slices.DeleteFunc(slices.Clone(rows), func(r request) bool { return !in(r) })
			if keys := lists.Distinct(lists.Map(part, func(r request) int32 { return r.key })); f.Requests != int64(len(part)) || f.Keys != int64(len(keys)) {
				t.Errorf("trial %d, part %d: %d requests of %d keys, want %d of %d", trial, i, f.Requests, f.Keys, len(part), len(keys))
			}
			for a := range algorithms {
				a := &algorithms[a]
				candidates := others.Candidates(a, []int64{1e9, 3e9})
				if len(candidates) == 0 {
					continue
				}
				f, _ := whole.Fold(i, 3, candidates[draw.IntN(len(candidates))])
				got, err := f.Others.Solve(a, candidates, g, false)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := others.Solve(a, candidates, g, false)
				x, y := whole.Recommend(got.Outcomes), whole.Recommend(want.Outcomes)
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

// TestFoldAsksFewKeys checks that a fold, which asks only the keys that need much in the whole
// log, finds what a study of the other requests finds, also where a part has most of a key.
func TestFoldAsksFewKeys(t *testing.T) {
	const keys = 60
	draw := rand.New(rand.NewPCG(60, 9))
	few, all := 0, 0 // passes that ask few keys and all of them
	for trial := range 60 {
		rows := drawn(draw, trial%2 == 1)
		last := rows[len(rows)-1].time
		for key := range int32(keys) {
			rows = append(rows, request{key, draw.Int64N(last + 1), 1})
		}
		crowded := draw.Int64N(last + 1)
		for range draw.IntN(40) {
			rows = append(rows, request{3, crowded, 1})
		}
		slices.SortStableFunc(rows, func(x, y request) int { return cmp.Compare(x.time, y.time) })
		abuser := make([]bool, keys)
		abuser[2] = true
		whole, err := NewStudy(played(rows), keys, abuser)
		if err != nil {
			t.Fatal(err)
		}
		g := Goal{AtMost: units.Fraction{Num: draw.Int64N(4), Den: 20}, OfKeys: trial%3 == 0}
		for _, a := range algorithms {
			candidates := candidatesOf(&a)
			if _, err := whole.Solve(&a, candidates, g, true); err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				f, err := whole.Fold(i, 3, counting.Limit{})
				if err != nil {
					t.Fatal(err)
				}
				out := func(r request) bool { return r.time < f.FromNs || f.ToNs <= r.time }
				others, err := NewStudy(played(lists.Where(rows, out)), keys, abuser)
				if err != nil {
					t.Fatal(err)
				}
				want, err := others.Solve(&a, candidates, g, true)
				if err != nil {
					t.Fatal(err)
				}
				watched, need := a, a.need
				watched.need = func(limits []counting.Limit, keys int) needs {
					if few++; keys == len(whole.Keys)-1 {
						few, all = few-1, all+1
					}
					return need(limits, keys)
				}
				got, err := f.Others.Solve(&watched, candidates, g, true)
				if !reflect.DeepEqual(got, want) || err != nil {
					t.Errorf("trial %d, part %d, %s, %+v: %+v, want %+v (%v)", trial, i, a.Name, g, got, want, err)
				}
			}
		}
	}
	if few < 100 || all < 20 {
		t.Errorf("%d passes asked few keys, %d all", few, all)
	}
}

// refusedIn decides all requests with a counter and counts those in a part that it refuses.
func refusedIn(t *testing.T, a *Algorithm, limit counting.Limit, rows []request, in func(request) bool) (n int64) {
	table, err := a.table(limit, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if table.Take(r.key, r.time, r.cost) == counting.Rejected && in(r) {
			n++
		}
	}
	return n
}

// TestFoldLeavesOut checks that the search of a fold asks of few candidates what the keys
// need: the expected one leaves most others out, before the log is read for them.
func TestFoldLeavesOut(t *testing.T) {
	var rows []request
	for minute := range int64(200) {
		for range 5 {
			rows = append(rows, request{0, minute * 60e9, 1})
		}
	}
	nothing := Goal{AtMost: units.Fraction{Den: 1}}
	whole, err := NewStudy(played(rows), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range algorithms {
		asked := 0
		need := a.need
		a.need = func(limits []counting.Limit, keys int) needs {
			asked += len(limits)
			return need(limits, keys)
		}
		candidates := whole.Candidates(&a, []int64{1e9, 60e9, 600e9})
		answer, err := whole.Solve(&a, candidates, nothing, false)
		if err != nil || asked < 2 {
			t.Fatal(asked, err)
		}
		best := a.With(answer.Outcomes[whole.Recommend(answer.Outcomes)].Limit, 0)
		f, err := whole.Fold(1, 4, best)
		if err != nil {
			t.Fatal(err)
		}
		asked = 0
		if _, err = f.Others.Solve(&a, candidates, nothing, false); err != nil || 2*asked > len(candidates) {
			t.Errorf("%s: of %d candidates the log was read for %d (%v)", a.Name, len(candidates), asked, err)
		}
	}
}
