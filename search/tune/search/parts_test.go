package search

import "testing"

// TestParts searches parts that share their first candidate. Each gets the cheapest one
// that keeps the promise, of equal ones the first; a part without one gets the nearest.
func TestParts(t *testing.T) {
	s := &surface{
		promise: Promise{Metric: "error", Op: "<=", Threshold: 5}, noise: 0.01, replications: 5, salt: 1,
		costs:  []float64{100, 120, 150, 200, 100, 100, 100, 100, 100, 100, 110},
		errors: []float64{20, 9, 4, 2, 20, 4, 1, 20, 12, 15, 3},
	}
	o := Options{Families: 1, Axes: []int{11}, Parts: []int{4, 3, 3, 1}, Replications: 5, Same: func(i int) int {
		if i == 4 || i == 7 {
			return 0
		}
		return i
	}}
	found, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if found.Answer == nil || found.Answer.Number != 5 {
		t.Errorf("the answer is %+v, want the first of the cheapest, 5", found.Answer)
	}
	for i, want := range []int{2, 5, -1, 10} {
		part := found.Parts[i]
		if want < 0 {
			if part.Answer != nil || part.Nearest.Number != 8 || part.Nearest.Verdict != Open {
				t.Errorf("part %d: %+v, want no answer, and 8 as the nearest", i, part)
			}
			continue
		}
		if part.Answer == nil || part.Answer.Number != want || part.UsedUp {
			t.Errorf("part %d: %+v, want %d", i, part, want)
		}
	}
	if below := found.Parts[0].Below; below == nil || below.Number != 1 || below.Verdict != Rejected {
		t.Errorf("the next cheaper of part 0 is %+v, want 1, rejected", below)
	}
	if len(found.Seen) != 9 || found.Seen[0].Number != 0 {
		t.Errorf("%d candidates seen, want each once", len(found.Seen))
	}

	o.Budget = found.Work.Used() - 1
	if found, err = Run(t.Context(), s, o); err != nil || found.Answer == nil || found.UsedUp || !found.Parts[3].UsedUp || found.Parts[1].UsedUp {
		t.Errorf("with less work: %+v, %v, want the answer, and no verdict on the last part alone", found, err)
	}
	if found.Work.Used() > o.Budget {
		t.Errorf("%d replications, more than %d", found.Work.Used(), o.Budget)
	}
}
