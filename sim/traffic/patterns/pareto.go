package patterns

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var pareto = kind{
	Entry: catalog.Entry{
		Name:    "pareto",
		Summary: "Poisson traffic that switches between two rates after heavy-tailed times",
		Idea: "On and off alternate, each for a Pareto-distributed time: most are short and a few very long, so that bursts remain visible however long the averaging interval. " +
			"Within a state arrivals are Poisson. The initial state is drawn in proportion to the mean times, and what is left of its time from " +
			"the distribution of the residual life, so the process is stationary from the entry's beginning.",
		Bound:  "the mean rate is (rate_on*mean_on + rate_off*mean_off)/(mean_on + mean_off); with a shape of 2 or less the time in a state has infinite variance, and means converge slowly",
		Source: "Willinger, Taqqu, Sherman and Wilson, Self-similarity through high-variability, IEEE/ACM Transactions on Networking 5 (1997)",
		Fields: append(append([]catalog.Field{}, bursty.Fields...),
			catalog.Field{Name: "shape", Kind: catalog.Share, Default: "1.5", Min: "1.05", Max: "10", Doc: "Shape of both distributions; smaller values have heavier tails."},
		),
	},
	build: func(v *options, span Span) (Pattern, error) {
		shape := v.Share("shape")
		return newModulated(v, span, func(mean int64) (whole, rest stay) {
			// The mean of a Pareto time is least * shape/(shape-1).
			least := integers.MulDiv(mean, shape.Num-shape.Den, shape.Num, mean)
			times := random.NewPareto(least, shape.Num, shape.Den)
			lasting := func(draw func(*random.Stream) int64) stay {
				return func(at int64, fraction uint64, draws *random.Stream) (int64, uint64) {
					return at + min(draw(draws), MaxTime-at), fraction
				}
			}
			return lasting(times.Draw), lasting(times.Residual)
		})
	},
}
