// Package patterns computes when requests arrive. Each pattern is a small value
// that computes its arrival times exactly and returns them in time order; keys,
// clients and costs are chosen elsewhere.
//
// Times are whole ns, rounded down from exact fractions, and rounding errors do
// not accumulate. All times in a pattern's options (at, for, the length of a
// stage) count from the beginning of its entry.
//
// The package makes no promise: it can change at any time.
package patterns

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Span is the time span [From, To) in which an entry sends, in ns, 0 <= From <=
// To <= MaxTime.
type Span struct{ From, To int64 }

// MaxTime is the largest time: 2^62 ns, in the year 2116. The sum of a time and
// a gap then does not overflow.
const MaxTime = int64(1) << 62

// Pattern describes the arrivals of an entry before any random draw. It is
// immutable.
type Pattern interface {
	// Random reports whether the arrival times depend on random draws.
	Random() bool
	// Open starts the arrivals. A pattern that is not Random ignores draws.
	Open(draws random.Stream) Clock
}

// Clock returns arrival times in time order.
type Clock interface {
	// Fill writes the next arrival times and returns their number. If it is
	// less than len(times), no more follow.
	Fill(times []int64) int
}

// Step is a time at which a pattern declares that its rate jumps.
type Step struct {
	At    int64      // ns
	After units.Rate // from then on
}

// Stepper is a Pattern that declares steps.
type Stepper interface{ Steps() []Step }

// kind is a pattern of the scenario language: its declaration, and the function
// that makes it from bound options.
type kind struct {
	catalog.Entry
	build func(v *options, span Span) (Pattern, error)
}

// kinds lists the patterns that compute their arrival times, in the order of
// the documentation.
var kinds = []kind{constant, poisson, boundary, adversary, stages, step, ramp, spike, square, sine, bursty, pareto, gamma, randomWalk, herd, list, workers}

// Entries returns the declarations of the patterns of this package.
func Entries() []catalog.Entry {
	return lists.Map(kinds, func(k kind) catalog.Entry { return k.Entry })
}

// New returns the pattern with this name. It returns an error that names the
// field if an option is invalid.
func New(name string, v catalog.Values, span Span) (Pattern, error) {
	if span.From < 0 || span.To < span.From || span.To > MaxTime {
		return nil, fmt.Errorf("sends from %d to %d ns, which is not a span between 0 and 2^62 ns", span.From, span.To)
	}
	for _, k := range kinds {
		if k.Name == name {
			o := &options{Values: v}
			p, err := k.build(o, span)
			if o.err != nil {
				return nil, o.err
			}
			return p, err
		}
	}
	return nil, fmt.Errorf("there is no pattern %q", name)
}
