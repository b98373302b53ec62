package patterns

import (
	"errors"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var gamma = kind{
	Entry: catalog.Entry{
		Name:    "gamma",
		Summary: "clustered arrivals: independent gaps with a gamma distribution",
		Idea: "A renewal process: gaps are independent draws from a gamma distribution with the rate's mean gap. With a variation of 1 it is Poisson; " +
			"above 1 many gaps are far shorter than the mean and a few far longer, so arrivals come in clusters; below 1 arrivals are more evenly spaced. " +
			"The time to the first arrival has the distribution of the residual life, so the process is stationary from the entry's beginning.",
		Bound:  "the mean count in a time t is rate*t; over long times its variance is cv^2 times its mean",
		Source: "Cox, Renewal Theory (1962), 4.5",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Mean arrivals per time."},
			{Name: "cv", Kind: catalog.Share, Default: "3", Min: "0.1", Max: "10", Doc: "Coefficient of variation of the gaps: their standard deviation over their mean."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		r := v.rate("rate")
		if r.n == 0 {
			return nil, errors.New("rate: must be above 0")
		}
		if r.p/r.n >= longestGammaGap {
			return nil, errors.New("rate: must be more than one in 2^49 ns")
		}
		cv := v.Share("cv")
		// The binary point of a gamma draw is 6 bits lower than that of an
		// exponential draw.
		return renewal{span, random.NewGamma(cv.Num, cv.Den), random.NewScale(r.p<<6, r.n)}, nil
	},
}

// longestGammaGap is the largest mean gap: 2^49 ns, six days. A draw of 4096
// times the mean then does not overflow.
const longestGammaGap = int64(1) << 49

// renewal is a process with independent gaps.
type renewal struct {
	span  Span
	gaps  random.Gamma
	scale random.Scale
}

func (r renewal) Random() bool { return true }

func (r renewal) Open(draws random.Stream) Clock {
	c := &renewalClock{renewal: r, draws: draws, used: ahead}
	c.at, c.fraction = c.scale.Advance(r.span.From, 0, r.gaps.Residual(&c.draws))
	return c
}

type renewalClock struct {
	renewal
	draws    random.Stream
	at       int64         // the next arrival
	fraction uint64        // of a nanosecond, in addition to at
	drawn    [ahead]uint64 // gaps, in the unit of draws
	used     int           // number of gaps used
}

// gapsAhead returns the next gaps, at least one and at most most. Gaps that are
// not used are kept, because a gap takes a varying number of draws.
func (c *renewalClock) gapsAhead(most int) []uint64 {
	if c.used == ahead {
		c.gaps.Fill(&c.draws, c.drawn[:])
		c.used = 0
	}
	return c.drawn[c.used:min(ahead, c.used+most)]
}

func (c *renewalClock) Fill(times []int64) int {
	filled := 0
	for filled < len(times) && c.at < c.span.To {
		n, at, fraction := c.scale.AdvanceAll(times[filled:], c.gapsAhead(len(times)-filled), c.at, c.fraction, c.span.To)
		c.at, c.fraction = at, fraction
		c.used += n
		filled += n
	}
	return filled
}
