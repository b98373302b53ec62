package selectors

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Answers selects the time from the dispatch of each request to the end of its
// answer. It is immutable.
type Answers struct {
	latency  random.Latency
	perToken int64 // ns
	base     int64 // ns
	output   bool  // only tokens beyond the estimate take time
}

// NewAnswers returns the selector of a bound answer time.
func NewAnswers(c catalog.Choice) (*Answers, error) {
	v := c.Values
	if c.Name == "per_token" {
		return &Answers{perToken: v.Duration("per_token"), base: v.Duration("base"), output: v.String("of") == "output"}, nil
	}
	if c.Name == "" {
		return &Answers{}, nil
	}
	latency, err := random.NewLatency(c.Name, v.Duration("p50"), v.Duration("p99"), v.Duration("time"))
	return &Answers{latency: latency}, err
}

// Random reports whether the selector takes draws.
func (a *Answers) Random() bool { return a.latency.Random() }

// Fill writes the time in ns of each request from its cost and its estimate.
func (a *Answers) Fill(draws *random.Stream, costs, estimates, column []int64) {
	for i := range column {
		column[i] = a.latency.Draw(draws) + a.base
		if a.perToken > 0 {
			tokens := costs[i]
			if a.output {
				tokens = max(tokens-estimates[i], 0)
			}
			column[i] = integers.Add(column[i], integers.Mul(tokens, a.perToken, math.MaxInt64))
		}
	}
}
