package stats

import "math"

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
	Deterministic Method = iota // neither sample is random: any difference is a change
	Paired                      // both had the same traffic in each replication: SignFlip of the differences
	OneSide                     // one sample is deterministic: SignFlip of the other's differences from it
	Ranks                       // the samples are independent: MannWhitney
)

// String returns the method as verdicts print it.
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

// Change is the difference of a metric between a base and now.
type Change struct {
	Method    Method
	N         [2]int   // replications of base and now
	Base, Now float64  // means
	Interval  Interval // of now - base, 95 %
	Test      Test     // of no change; Least is 1 if no pair differs
	Same      bool     // equal in every replication
}

// Compare compares now with base. If paired is set, replication i of both saw
// the same traffic; Compare ignores it if the numbers of replications differ. It
// panics on a sample without values.
func Compare(base, now Sample, paired bool) Change {
	c := Change{N: [2]int{len(base.Values), len(now.Values)}, Base: Mean(base.Values), Now: Mean(now.Values)}
	switch {
	case base.Deterministic && now.Deterministic:
		c.Interval.Mean = c.Now - c.Base
		if c.Same = c.Now == c.Base; c.Same {
			c.Test = Test{1, 1, 1, 1}
		}
	case base.Deterministic, now.Deterministic, paired && c.N[0] == c.N[1]:
		c.Method = Paired
		if base.Deterministic || now.Deterministic {
			c.Method = OneSide
		}
		differences := make([]float64, max(c.N[0], c.N[1]))
		for i := range differences {
			differences[i] = now.at(i) - base.at(i)
		}
		c.Interval, c.Test = OfMean(differences), SignFlip(differences)
		c.Same = c.Test.Least == 1
	default:
		c.Method = Ranks
		c.Interval, c.Test = OfDifference(base.Values, now.Values), MannWhitney(base.Values, now.Values)
		c.Same = c.Interval == Interval{} && len(base.Values) > 1 // all values of both samples are equal
	}
	return c
}

// at returns the value of replication i.
func (s Sample) at(i int) float64 {
	if s.Deterministic {
		return s.Values[0]
	}
	return s.Values[i]
}

// Enough reports whether there are enough replications for this comparison,
// taken by itself, to reach significance at level alpha. A deterministic
// comparison always has enough.
func (c Change) Enough(alpha float64, twoSided bool) bool {
	return c.Method == Deterministic || c.Needed(alpha, 1, twoSided) <= c.Runs()
}

// Needed returns the number of replications that each random sample needs
// before one of tests tests, judged together, can reach significance. It is 0
// for a deterministic comparison, and if no number is enough.
func (c Change) Needed(alpha float64, tests int, twoSided bool) int {
	switch c.Method {
	case Deterministic:
		return 0
	case Ranks:
		n := RunsNeeded(alpha, tests, twoSided)
		// Samples of unequal size may need fewer.
		if least := leastRanks(c.N[0], c.N[1]); least <= level(alpha, tests, twoSided) {
			return min(n, c.Runs())
		}
		return n
	}
	return PairsNeeded(alpha, tests, twoSided)
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
