package least

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// drawOutcomes draws outcomes of which many are equal in something.
func drawOutcomes(r *rand.Rand) []Outcome {
	outcomes := make([]Outcome, r.IntN(6))
	for i := range outcomes {
		outcomes[i] = Outcome{Short: r.IntN(3) == 0, Least: Least{Allowance: r.Int64N(4)}, Most: r.Int64N(3), Keys: r.Int64N(3), AbuserRequests: 17 + r.Int64N(4)}
	}
	return outcomes
}

// TestRecommendIsTheBest compares the outcome to use with that of all outcomes in order: the
// ones that the log can decide first, each against what speaks against it, the gravest first.
func TestRecommendIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 3000 {
		outcomes, abusers := drawOutcomes(r), n%2 == 0
		s := Study{}
		if abusers {
			s.abuser, s.AbuserRequests = []bool{true}, 30+r.Int64N(20)
		}
		strictest := int64(0)
		for _, o := range outcomes {
			if !o.Short && o.AbuserRequests > strictest {
				strictest = o.AbuserRequests
			}
		}
		want := -1
		var least []int64
		for i, o := range outcomes {
			against := []int64{0, o.Most}
			if abusers {
				against = []int64{0, o.Keys, -o.AbuserRequests, o.Most}
			}
			if o.Short {
				against[0] = 1
			} else if strictest >= (s.AbuserRequests+1)/2 && float64(o.AbuserRequests) < 0.9*float64(strictest) {
				continue
			}
			if want < 0 || slices.Compare(against, least) < 0 {
				want, least = i, against
			}
		}
		if got := s.Recommend(outcomes); got != want || Strictest(outcomes) != strictest {
			t.Fatalf("%+v, abusers %v: %d and at most %d, want %d and %d", outcomes, abusers, got, Strictest(outcomes), want, strictest)
		}
	}
}

// TestFrontier checks that of buckets in the order of their rates those stay that are stricter
// in the burst than all slower ones, and that all windows stay.
func TestFrontier(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 500 {
		outcomes := drawOutcomes(r)
		var want []Outcome
		for i, o := range outcomes {
			if !slices.ContainsFunc(outcomes[:i], func(slower Outcome) bool { return slower.Allowance <= o.Allowance }) {
				want = append(want, o)
			}
		}
		if got := Frontier(&Algorithm{Bucket: true}, outcomes); !slices.EqualFunc(got, want, same) {
			t.Fatalf("%+v: %+v, want %+v", outcomes, got, want)
		}
		if got := Frontier(&Algorithm{}, outcomes); !slices.EqualFunc(got, outcomes, same) {
			t.Fatalf("windows %+v: %+v", outcomes, got)
		}
	}
}

// same compares what the tests draw.
func same(a, b Outcome) bool {
	return a.Short == b.Short && a.Allowance == b.Allowance && a.Most == b.Most && a.Keys == b.Keys && a.AbuserRequests == b.AbuserRequests
}

// TestSolveLeavesTheFrontier checks that rates that are tried together leave those that stay
// of the ones tried each by itself, with the same counts, in demands of equal and of other costs.
func TestSolveLeavesTheFrontier(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	fewer := 0
	for trial := range 200 {
		rows := drawn(r, trial%2 == 1)
		study := func() *Study {
			s, err := NewStudy(played(rows), 3, []bool{false, false, trial%4 > 1})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		goal := Goal{AtMost: units.Fraction{Num: int64(trial % 5), Den: 20}}
		for i := range algorithms {
			a := &algorithms[i]
			candidates := study().Candidates(a, []int64{1e9, 5e9})
			together, err := study().Solve(a, candidates, goal, false)
			if err != nil {
				t.Fatal(err)
			}
			var apart []Outcome
			for _, c := range candidates {
				one, err := study().Solve(a, []counting.Limit{c}, goal, false)
				if err != nil {
					t.Fatal(err)
				}
				apart = append(apart, one.Outcomes...)
			}
			stay := Frontier(a, apart)
			fewer += len(apart) - len(stay)
			if got, want := fmt.Sprintf("%+v", together.Outcomes), fmt.Sprintf("%+v", stay); got != want {
				t.Fatalf("%s, %v: %s, want %s", a.Name, rows, got, want)
			}
		}
	}
	if fewer == 0 {
		t.Error("no rate takes as much as a slower one")
	}
}
