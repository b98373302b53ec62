package stats

import "math"

// Sample is a figure's values, one for each replication. An exact one comes
// from a run that draws no random number: its one value is all there is.
type Sample struct {
	Values []float64
	Exact  bool
}

// Method is how two samples were compared.
type Method int

const (
	Exact   Method = iota // no chance in either: any difference is one
	Paired                // the same traffic in each replication: SignFlip of the differences
	OneSide               // one side is exact: SignFlip of the other's differences from it
	Ranks                 // independent of one another: MannWhitney
)

func (m Method) String() string {
	switch m {
	case Paired:
		return "paired"
	case OneSide:
		return "against an exact figure"
	case Ranks:
		return "unpaired"
	}
	return "exact"
}

// Change is what became of a figure.
type Change struct {
	Method    Method
	N         [2]int   // replications of base and now
	Base, Now float64  // means
	Interval  Interval // of now - base, 95 %
	Test      Test     // of no change; Least is 1 where nothing moved
	Same      bool     // equal in every replication
}

// Compare holds now against base. Paired says that replication i of both saw
// the same traffic; it is not used where the numbers of replications differ.
// It panics on a sample without values.
func Compare(base, now Sample, paired bool) Change {
	c := Change{N: [2]int{len(base.Values), len(now.Values)}, Base: Mean(base.Values), Now: Mean(now.Values)}
	switch {
	case base.Exact && now.Exact:
		c.Interval.Mean = c.Now - c.Base
		c.Test = Test{0, 0, 0, 0}
		if c.Same = c.Now == c.Base; c.Same {
			c.Test = Test{1, 1, 1, 1}
		}
	case base.Exact, now.Exact, paired && c.N[0] == c.N[1]:
		c.Method = Paired
		if base.Exact || now.Exact {
			c.Method = OneSide
		}
		differences := make([]float64, max(c.N[0], c.N[1]))
		for i := range differences {
			differences[i] = at(now, i) - at(base, i)
		}
		c.Interval, c.Test = OfMean(differences), SignFlip(differences)
		c.Same = c.Test.Least == 1
	default:
		c.Method = Ranks
		c.Interval, c.Test = OfDifference(base.Values, now.Values), MannWhitney(base.Values, now.Values)
		c.Same = c.Interval == Interval{} && len(base.Values) > 1 // one value on both sides throughout
	}
	return c
}

// at is replication i's value; an exact one is the same in all.
func at(s Sample, i int) float64 {
	if s.Exact {
		return s.Values[0]
	}
	return s.Values[i]
}

// Enough reports whether there are enough replications for the comparison ever
// to be significant at level alpha, taken by itself. Exact ones always have
// enough.
func (c Change) Enough(alpha float64, twoSided bool) bool {
	return c.Method == Exact || c.Needed(alpha, 1, twoSided) <= c.runs()
}

// Needed is how many replications that takes among so many tests looked at
// together: on both sides, but for an exact side. It is 0 for exact figures, and
// where no number would do.
func (c Change) Needed(alpha float64, tests int, twoSided bool) int {
	switch c.Method {
	case Exact:
		return 0
	case Ranks:
		n := RunsNeeded(alpha, tests, twoSided)
		// Unequal sides may do with fewer on one of them.
		if least := leastRanks(c.N[0], c.N[1]); least <= level(alpha, tests, twoSided) {
			return min(n, c.runs())
		}
		return n
	}
	return PairsNeeded(alpha, tests, twoSided)
}

// runs is the smaller number of replications of the sides that are not exact.
func (c Change) runs() int {
	if c.Method == OneSide {
		return max(c.N[0], c.N[1])
	}
	return min(c.N[0], c.N[1])
}

// Percent is the change in percent of the base; ok is false where that is 0.
func (c Change) Percent() (percent float64, ok bool) {
	if c.Base == 0 {
		return 0, false
	}
	return 100 * c.Interval.Mean / math.Abs(c.Base), true
}
