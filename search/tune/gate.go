package tune

import (
	"math"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// gateReplications returns how many replications let run and gate find the promise of an
// answer kept in about 95 of 100 seeds: at least those of a seed. They hold the bad end
// of the 95 % interval to the promise, tune the mean. It returns 0 if 10,000, the most
// that a file may have, are too few.
func gateReplications(c *search.Candidate, perSeed int) int {
	const most = 10_000
	n := perSeed
	for i, p := range c.Promises {
		with := lists.Where(c.Fresh, func(seed search.Seed) bool { return seed.NoData == "" })
		means := lists.Map(with, func(seed search.Seed) float64 { return seed.Figures[i] })
		if c.Exact || len(means) < 2 {
			continue
		}
		margin, sd := p.Margin(stats.Mean(means)), stats.SD(means)*math.Sqrt(float64(perSeed))
		for n = max(n, 2); sd > 0 && (stats.TQuantile(0.025, n-1)+1.645)*sd > margin*math.Sqrt(float64(n)); n++ {
			if n == most {
				return 0
			}
		}
	}
	return n
}
