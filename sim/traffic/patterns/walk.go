package patterns

import (
	"errors"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

var randomWalk = kind{
	Entry: catalog.Entry{
		Name:    "random-walk",
		Summary: "Poisson traffic whose rate changes by random steps",
		Idea: "The rate starts as given and changes by one step at regular times, up or down with equal probability; at its bounds it turns back. " +
			"Between steps arrivals are Poisson. It is not stationary, because it begins at the given rate.",
		Bound: "until it reaches a bound, the rate's mean after n steps is the rate and its standard deviation step*sqrt(n) of the rate; in the long run its mean is the middle between its lowest and its highest step",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Mean arrivals per time at the start."},
			{Name: "step", Kind: catalog.Share, Default: "10%", Min: "0.001", Max: "1", Doc: "Size of a step, as a share of the initial rate."},
			{Name: "every", Kind: catalog.Duration, Default: "10s", Min: "1ms", Doc: "Time from one step to the next."},
			{Name: "lowest", Kind: catalog.Share, Default: "0.1", Min: "0", Max: "1", Doc: "Lower bound of the rate, as a share of the initial rate."},
			{Name: "highest", Kind: catalog.Share, Default: "3", Min: "1", Max: "1000", Doc: "Upper bound of the rate, as a multiple of the initial rate."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		first := v.rate("rate")
		w := &walk{span: span}
		w.every = v.duration("every")
		step, low, high := v.Share("step"), v.Share("lowest"), v.Share("highest")
		down, ok := steps(units.Fraction{Num: low.Den - low.Num, Den: low.Den}, step)
		up, fits := steps(units.Fraction{Num: high.Num - high.Den, Den: high.Den}, step)
		if !ok || !fits {
			return nil, errors.New("step: with these bounds it has too many digits")
		}
		for k := -down; k <= up; k++ {
			n, ok := product(first.n, step.Den+k*step.Num)
			p, fits := product(first.p, step.Den)
			if !ok || !fits {
				return nil, errors.New("step: with this rate it has too many digits")
			}
			level, err := newExactRate(n, p)
			if err != nil {
				return nil, err
			}
			w.levels = append(w.levels, level)
		}
		w.first = int(down)
		return w, nil
	},
}

// steps returns the number of whole steps in a distance.
func steps(distance, step units.Fraction) (n int64, ok bool) {
	over, ok := product(distance.Num, step.Den)
	under, fits := product(distance.Den, step.Num)
	if !ok || !fits {
		return 0, false
	}
	return over / under, true
}

// walk is a Poisson process whose rate changes by random steps.
type walk struct {
	span   Span
	every  int64
	levels []exactRate // all possible rates, ascending
	first  int
}

func (w *walk) Random() bool { return true }

func (w *walk) Open(draws random.Stream) Clock {
	c := &walkClock{walk: w, segments: segments{draws: draws, end: w.span.From}, level: w.first}
	c.enter()
	return c
}

type walkClock struct {
	*walk
	segments
	level int
}

// enter begins the time until the next step.
func (c *walkClock) enter() {
	c.arrivals = newPoissonArrivals(&c.draws, c.end, c.levels[c.level])
	c.end += c.every
}

// turn makes a step. At a bound it turns back.
func (c *walkClock) turn() {
	to := c.level + 1 - 2*int(c.draws.Uint64()&1)
	if to < 0 || to >= len(c.levels) {
		to = 2*c.level - to
	}
	if to >= 0 && to < len(c.levels) {
		c.level = to
	}
	c.enter()
}

func (c *walkClock) Fill(times []int64) int { return c.fill(times, c.span.To, c.turn) }
