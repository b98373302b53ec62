package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
)

// Candidate is a setting with what the search knows of it.
type Candidate struct {
	Number   int
	Promises []Promise
	Costs    []float64   // by replication of the seed of the search
	Figures  [][]float64 // by promise, then by replication
	Exact    bool        // deterministic
	NoData   string      // why a figure is missing; the candidate then keeps nothing
	Fresh    []Seed      // fresh seeds in order
	Verdict  Verdict
}

// Seed holds the figures of a candidate on a fresh seed.
type Seed struct {
	Cost    float64
	Figures []float64 // by promise; empty with NoData
	NoData  string
}

// Verdict is what the fresh seeds say of a candidate.
type Verdict int

const (
	Open     Verdict = iota // not held to the promise, or not long enough
	Kept                    // it keeps the promise on enough of them
	Rejected                // it does not
)

// Cost returns the mean cost over the replications of the search.
func (c *Candidate) Cost() float64 { return stats.Mean(c.Costs) }

// Mean returns the mean figure of a promise over the replications of the search.
func (c *Candidate) Mean(promise int) float64 { return stats.Mean(c.Figures[promise]) }

// Keeps reports whether the promise holds on the seed.
func (s Seed) Keeps(promises []Promise) bool {
	if s.NoData != "" {
		return false
	}
	for i, p := range promises {
		if !p.Keeps(s.Figures[i]) {
			return false
		}
	}
	return true
}

// KeptSeeds returns on how many fresh seeds the candidate keeps the promise.
func (c *Candidate) KeptSeeds() int {
	return lists.Count(c.Fresh, func(s Seed) bool { return s.Keeps(c.Promises) })
}

// Tightest returns the promise that the candidate is nearest to breaking, or breaks
// most, relative to the size of its figures.
func (c *Candidate) Tightest() (promise int) {
	for i := range c.Promises {
		if c.relative(i) < c.relative(promise) {
			promise = i
		}
	}
	return promise
}

// relative returns the margin of a promise as a part of the figures' size, -1 to 1.
func (c *Candidate) relative(promise int) float64 {
	x := c.Mean(promise)
	size := math.Abs(x) + math.Abs(c.Promises[promise].Threshold)
	if size == 0 {
		return 0
	}
	return c.Promises[promise].Margin(x) / size
}

// add adds the outcome of the next replication of the search.
func (c *Candidate) add(o Outcome) {
	c.NoData = cmp.Or(c.NoData, o.NoData)
	if c.NoData != "" {
		return
	}
	c.Exact = o.Exact
	c.Costs = append(c.Costs, o.Cost)
	if c.Figures == nil {
		c.Figures = make([][]float64, len(c.Promises))
	}
	for i, x := range o.Figures {
		c.Figures[i] = append(c.Figures[i], x)
	}
}

// byCost orders candidates from the cheapest.
func byCost(list []*Candidate) {
	slices.SortStableFunc(list, func(c, d *Candidate) int {
		return cmp.Or(cmp.Compare(c.Cost(), d.Cost()), cmp.Compare(c.Number, d.Number))
	})
}
