// Package patterns says when requests arrive: each pattern is a small value
// that knows its instants exactly, and yields them in time order.
//
// Instants are whole nanoseconds, rounded down from exact fractions; no
// rounding adds up, however long a pattern runs. Every time that a pattern is
// given (at, for, a stage's length) counts from the beginning of its entry.
package patterns

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Span is when an entry sends: [From, To) in nanoseconds, 0 <= From <= To <= MaxTime.
type Span struct{ From, To int64 }

// MaxTime bounds every instant: 2^62 ns, so that sums of an instant and a gap
// cannot overflow. It is the year 2116 of Unix time.
const MaxTime = int64(1) << 62

// Pattern is what is known of an entry's arrivals before any number is drawn.
// It is not changed by use.
type Pattern interface {
	// Random reports whether the instants depend on random draws.
	Random() bool
	// Open begins the arrivals; a pattern that is not Random ignores draws.
	Open(draws random.Stream) Clock
}

// Clock yields instants in time order.
type Clock interface {
	// Fill writes the next instants and returns how many. Fewer than there
	// is room for means that there are no more.
	Fill(times []int64) int
}

// Step is an instant at which a pattern declares that its rate jumps.
type Step struct {
	At            int64 // ns
	Before, After units.Rate
}

// Stepper is a Pattern that declares steps.
type Stepper interface{ Steps() []Step }

// kind is one pattern of the language: its declaration, and what makes it of
// bound options.
type kind struct {
	catalog.Entry
	build func(v *options, span Span) (Pattern, error)
}

// kinds are the patterns that draw or compute their instants, in the order in
// which they are listed.
var kinds = []kind{constant, poisson, boundary, adversary, stages, step, ramp, spike, square, sine, bursty, pareto, gamma, randomWalk, herd, list}

// Entries declares the patterns of this package, for the catalog.
func Entries() []catalog.Entry {
	var entries []catalog.Entry
	for _, k := range kinds {
		entries = append(entries, k.Entry)
	}
	return entries
}

// New makes the pattern called name.
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
