package search

import (
	"math"
	"testing"
)

// A difference is a part of the size of its base, and infinite beside nothing.
func TestPart(t *testing.T) {
	for _, c := range [][3]float64{
		{0, 0, 0}, {0, 4, 0}, {1, 4, 0.25}, {-1, 4, -0.25}, {1, -4, 0.25}, {1, 1, 1}, {2, 0, math.Inf(1)}, {-2, 0, math.Inf(-1)},
	} {
		if got := part(c[0], c[1]); got != c[2] {
			t.Errorf("%g of %g: %g, want %g", c[0], c[1], got, c[2])
		}
	}
}

// Costs are compared over the replications and the fresh seeds that both candidates have.
func TestDearer(t *testing.T) {
	s := &search{Options: Options{Replications: 4}}
	c := &Candidate{Costs: []float64{6, 8}, Fresh: []Seed{{Cost: 6}, {Cost: 900}, {NoData: "none"}, {Cost: 900}}}
	d := &Candidate{Costs: []float64{4, 4, 100}, Fresh: []Seed{{Cost: 5}, {NoData: "none"}, {Cost: 900}}}
	// 6+8 and four times 6, of 4+4 and four times 5
	if got, want := s.dearer(c, d), 10.0/28; math.Abs(got-want) > 1e-12 {
		t.Errorf("%g, want %g", got, want)
	}
}
