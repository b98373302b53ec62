package patterns

import (
	"errors"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var bursty = kind{
	Entry: catalog.Entry{
		Name:    "bursty",
		Summary: "Poisson traffic that switches between two rates at random times",
		Idea: "A Markov-modulated Poisson process with two states. The time in a state is exponential, and arrivals are Poisson at the rate of the state. " +
			"The initial state is drawn in proportion to the mean times, so the process is stationary from the entry's beginning.",
		Bound:  "the mean rate is (rate_on*mean_on + rate_off*mean_off)/(mean_on + mean_off)",
		Source: "Fischer and Meier-Hellstern, The Markov-modulated Poisson process (MMPP) cookbook, Performance Evaluation 18 (1993)",
		Fields: []catalog.Field{
			{Name: "rate_on", Kind: catalog.Rate, Required: true, Doc: "Mean arrivals per time while on."},
			{Name: "rate_off", Kind: catalog.Rate, Doc: "Mean arrivals per time while off; 0 if absent."},
			{Name: "mean_on", Kind: catalog.Duration, Required: true, Min: "1us", Doc: "Mean time in the on state."},
			{Name: "mean_off", Kind: catalog.Duration, Required: true, Min: "1us", Doc: "Mean time in the off state."},
			sourcesField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		return newModulated(v, span, func(mean int64) (whole, rest stay) {
			scale := random.NewScale(mean, 1)
			whole = func(at int64, fraction uint64, draws *random.Stream) (int64, uint64) {
				return scale.Advance(at, fraction, draws.Exponential())
			}
			return whole, whole // an exponential time has no memory
		})
	},
}

// stay moves a time, with a fraction in 2^-64 ns, by a draw of the time spent
// in a state.
type stay func(at int64, fraction uint64, draws *random.Stream) (int64, uint64)

// newModulated reads the fields of two states. of returns the stay in a state by
// its mean in ns, and what is left of it at the beginning.
func newModulated(v *options, span Span, of func(mean int64) (whole, rest stay)) (Pattern, error) {
	m := &modulated{span: span}
	for i, names := range [2][2]string{{"rate_on", "mean_on"}, {"rate_off", "mean_off"}} {
		m.rates[i] = v.rate(names[0])
		m.means[i] = v.duration(names[1])
		if m.means[i] > maxGap {
			return nil, errors.New(names[1] + ": must be at most 2^55 ns")
		}
		m.stays[i], m.rests[i] = of(m.means[i])
	}
	if n := v.Int("sources"); n > 1 && v.err == nil {
		return newSources(m, n)
	}
	return m, nil
}

// modulated is a Poisson process whose rate switches between two states. State
// 0 is on.
type modulated struct {
	span  Span
	rates [2]exactRate
	means [2]int64
	stays [2]stay
	rests [2]stay // of the stays in which the entry begins
}

func (m *modulated) Random() bool { return true }

func (m *modulated) Open(draws random.Stream) Clock {
	c := &modulatedClock{modulated: m, segments: segments{draws: draws, end: m.span.From}}
	c.state = m.begin(&c.draws)
	c.enter(m.rests[c.state])
	return c
}

// begin draws the state in which the entry begins.
func (m *modulated) begin(draws *random.Stream) int {
	if draws.Below(uint64(m.means[0]+m.means[1])) < uint64(m.means[0]) {
		return 0
	}
	return 1
}

type modulatedClock struct {
	*modulated
	segments
	state    int
	fraction uint64 // of a nanosecond, in addition to end
}

// turn switches to the other state.
func (c *modulatedClock) turn() {
	c.state = 1 - c.state
	c.enter(c.stays[c.state])
}

// enter begins a stay in the present state.
func (c *modulatedClock) enter(s stay) {
	begin := c.end
	c.end, c.fraction = s(c.end, c.fraction, &c.draws)
	c.arrivals = newPoissonArrivals(&c.draws, begin, c.rates[c.state])
}

func (c *modulatedClock) Fill(times []int64) int { return c.fill(times, c.span.To, c.turn) }
