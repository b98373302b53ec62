package stats

import (
	"math"
	"slices"
)

// Sample holds the values of a metric, one for each replication. A
// deterministic sample comes from a run that draws no random numbers. It has
// one value, which holds for every replication.
type Sample struct {
	Values        []float64
	Deterministic bool
}

// Method states how two samples were compared.
type Method int

const (
	Deterministic Method = iota // nothing random differs: any difference is a change
	Paired                      // both had the same traffic in each replication: SignFlip of the differences
	OneSide                     // one sample is deterministic: SignFlip of the other's differences from it
	Independent                 // Student's t with Welch's degrees of freedom
)

// String returns the method as verdicts print it.
func (m Method) String() string {
	switch m {
	case Paired:
		return "paired"
	case OneSide:
		return "against an exact figure"
	case Independent:
		return "unpaired"
	}
	return "directly"
}

// Change is the difference of a metric between a base and now.
type Change struct {
	Method      Method
	N           [2]int    // replications of base and now that were compared
	Base, Now   float64   // their means
	Differences []float64 // of each pair; nil if there are none
	Interval    Interval  // of now - base, 95 %
	Test        Test      // of no change
	Same        bool      // equal in every replication
}

// Compare compares now with base. If paired is set, replication i of both saw
// the same traffic. If one has more replications, the others of it have no
// partner and are left out. Compare panics on a sample without values.
func Compare(base, now Sample, paired bool) Change {
	random := !base.Deterministic && !now.Deterministic
	if random && paired {
		n := min(len(base.Values), len(now.Values))
		base.Values, now.Values = base.Values[:n], now.Values[:n]
	}
	c := Change{N: [2]int{len(base.Values), len(now.Values)}, Base: Mean(base.Values), Now: Mean(now.Values)}
	switch {
	case base.Deterministic && now.Deterministic:
		c.Interval.Mean = c.Now - c.Base
		if c.Same = c.Now == c.Base; c.Same {
			c.Test = Test{1, 1, 1}
		}
	case random && !paired:
		c.Method = Independent
		c.Interval, c.Test = OfDifference(base.Values, now.Values), Welch(base.Values, now.Values)
		constant := c.Interval == Interval{} // all values of both samples are equal
		c.Same = len(base.Values) > 1 && (constant || slices.Equal(base.Values, now.Values))
	default:
		c.Method = Paired
		if !random {
			c.Method = OneSide
		}
		c.Differences = make([]float64, max(c.N[0], c.N[1]))
		c.Same = true
		for i := range c.Differences {
			c.Differences[i] = now.at(i) - base.at(i)
			c.Same = c.Same && c.Differences[i] == 0
		}
		c.Interval, c.Test = OfMean(c.Differences), SignFlip(c.Differences)
	}
	return c
}

// Directly returns the change of a figure whose replications are repeated: they differ
// from those of the base by nothing random, so any difference is a change.
func (c Change) Directly() Change {
	return Change{N: c.N, Base: c.Base, Now: c.Now, Same: c.Same, Interval: Interval{Mean: c.Now - c.Base}}
}

// at returns the value of replication i.
func (s Sample) at(i int) float64 {
	if s.Deterministic {
		return s.Values[0]
	}
	return s.Values[i]
}

// Enough reports whether there are enough replications for this comparison to
// reach significance at level alpha. A deterministic comparison always has enough.
func (c Change) Enough(alpha float64, twoSided bool) bool {
	return c.Needed(alpha, twoSided) <= c.Runs()
}

// Needed returns the number of replications that each random sample needs
// before the comparison can reach significance, 0 if it is deterministic.
func (c Change) Needed(alpha float64, twoSided bool) int {
	switch c.Method {
	case Deterministic:
		return 0
	case Independent:
		return 2 // for a standard deviation
	}
	return PairsNeeded(alpha, twoSided)
}

// Runs returns the replications of the random sample, or the smaller number of
// the two if both are random.
func (c Change) Runs() int {
	if c.Method == OneSide {
		return max(c.N[0], c.N[1])
	}
	return min(c.N[0], c.N[1])
}

// Percent returns the change in percent of the base; ok is false if the base is 0.
func (c Change) Percent() (percent float64, ok bool) {
	if c.Base == 0 {
		return 0, false
	}
	return 100 * c.Interval.Mean / math.Abs(c.Base), true
}
