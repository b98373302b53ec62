package search

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// noise knows how much figures differ between replications, from candidates that have at
// least two. A candidate with few replications borrows it.
type noise struct {
	parts   map[string]float64 // by figure: standard deviation as a part of the figures' size
	cost    float64            // the same of the cost
	perSeed float64            // replications of a seed
}

// ownWeight is the number of a candidate's replications that weigh as much as what it
// borrows.
const ownWeight = 2

// newNoise learns from candidates. Per figure it takes the standard deviation, as a part
// of the figures' size, that one in ten candidates exceeds.
func newNoise(seen []*Candidate, perSeed int) *noise {
	parts := map[string][]float64{}
	var costs []float64
	for _, c := range seen {
		if len(c.Costs) < 2 {
			continue
		}
		if cost := math.Abs(c.Cost()); cost > 0 {
			costs = append(costs, stats.SD(c.Costs)/cost)
		}
		for i, p := range c.Promises {
			if size := math.Abs(c.Mean(i)) + math.Abs(p.Threshold); size > 0 {
				parts[p.figure()] = append(parts[p.figure()], stats.SD(c.Figures[i])/size)
			}
		}
	}
	n := &noise{parts: map[string]float64{}, perSeed: float64(perSeed)}
	for figure, list := range parts {
		n.parts[figure] = oneInTen(list)
	}
	n.cost = oneInTen(costs)
	return n
}

// oneInTen returns the value that one in ten of a list exceeds, 0 if the list is empty.
func oneInTen(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)*9/10]
}

// costSD returns the standard deviation of differences of costs between replications. base
// is a cost.
func (n *noise) costSD(differences []float64, base float64) float64 {
	own := float64(len(differences) - 1)
	borrowed, spread := n.cost*base, 0.0
	if own > 0 {
		spread = stats.SD(differences)
	}
	return blend(borrowed, spread, own)
}

// blend returns the standard deviation from a borrowed one and from one with some degrees
// of freedom. The conversions keep arm64 from fusing, so that all processors search alike.
func blend(borrowed, spread, own float64) float64 {
	return math.Sqrt((float64(ownWeight*borrowed*borrowed) + float64(own*spread*spread)) / (ownWeight + own))
}

// sd returns the standard deviation of a figure between replications. known is false if
// nothing tells it.
func (n *noise) sd(c *Candidate, promise int) (sd float64, known bool) {
	if c.Exact {
		return 0, true
	}
	p := c.Promises[promise]
	part, known := n.parts[p.figure()]
	borrowed := part * (math.Abs(c.Mean(promise)) + math.Abs(p.Threshold))
	own := float64(len(c.Costs) - 1)
	if own == 0 {
		return borrowed, known
	}
	spread := stats.SD(c.Figures[promise])
	return blend(borrowed, spread, own), true
}

// needed is how many standard deviations of a seed's mean the mean must be inside the
// promise, so that 95 of 100 seeds keep it.
const needed = 1.645

// doubt returns how many standard errors the search allows its means to be wrong. Few
// replications can be far off, and their noise is borrowed.
func doubt(replications int) float64 {
	if replications < 8 {
		return 3.5
	}
	return 2.5
}

// hopeless reports whether a candidate cannot keep the promise, even if its means are
// as wrong as doubt allows.
func (n *noise) hopeless(c *Candidate) bool {
	return c.NoData != "" || n.worst(c, +1) < needed
}

// sure reports whether a candidate keeps the promise, even if its means are as wrong as
// doubt allows.
func (n *noise) sure(c *Candidate) bool {
	return c.NoData == "" && n.worst(c, -1) >= needed
}

// worst returns the least margin of all promises in standard deviations of a seed's
// mean. side moves the means by doubt: +1 to the better, -1 to the worse, 0 not.
func (n *noise) worst(c *Candidate, side float64) float64 {
	least := math.Inf(1)
	for i, p := range c.Promises {
		x := c.Mean(i)
		sd, known := n.sd(c, i)
		z := math.Inf(1)
		switch {
		case !known && side != 0:
			z = math.Copysign(math.Inf(1), side)
		case sd > 0 && !(p.Op == "==" && p.Keeps(x)):
			doubtful := side * doubt(len(c.Costs)) * math.Sqrt(n.perSeed/float64(len(c.Costs)))
			z = p.Margin(x)*math.Sqrt(n.perSeed)/sd + doubtful
		case !p.Keeps(x):
			z = math.Inf(-1)
		}
		least = min(least, z)
	}
	return least
}
