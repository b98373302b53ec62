package sim

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Until adds replications to a scenario until half the 95 % interval of each
// figure is at most Width times its mean, or times 1 (percent, request) if the
// mean is smaller.
//
// Stopping when an interval happens to be narrow makes intervals cover slightly
// less than 95 %. With ten replications to begin with the difference is small.
type Until struct {
	Width   float64  // share of the mean, above 0
	Most    int      // largest number of replications of a scenario
	Figures []string // of every row; figures of expectations count too, for their row
}

// widen raises the replications of the plans that need more: to the number that
// the present spread requires, at most to twice the present number.
func (u *Until) widen(plans []*plan, jobs []*job) {
	byRow, _ := finishedTrials(plans, jobs)
	for _, p := range plans {
		p.planned = p.replications
		need := p.replications
		for _, r := range p.rows {
			if !r.random {
				continue
			}
			trials := byRow[p][r.name]
			for i, f := range trials[0].figures {
				if u.concerns(p, r, f.Name) {
					need = max(need, u.need(trials, i))
				}
			}
		}
		p.replications = max(p.replications, min(need, 2*p.replications, u.Most))
	}
}

// concerns reports whether Until applies to a row's figure.
func (u *Until) concerns(p *plan, r row, figure string) bool {
	return slices.Contains(u.Figures, figure) || slices.ContainsFunc(p.scenario.Expect, func(e scenarios.Expectation) bool {
		return e.Metric == figure && e.Algorithm == r.name
	})
}

// need returns how many replications would make a figure's interval narrow
// enough if its spread stayed the same. A figure without data needs no more.
func (u *Until) need(trials []*measured, figure int) int {
	s := summarise(lists.Map(trials, func(t *measured) measure.Value { return t.figures[figure].Value }))
	switch {
	case s.Mean == nil:
		return 0
	case len(trials) < 2:
		return 2
	case s.Lo == nil: // one replication has observations
		return 2 * len(trials)
	}
	excess := s.Spread() / float64(u.Width*max(math.Abs(*s.Mean), 1))
	if excess <= 1 {
		return 0
	}
	need := math.Ceil(float64(len(trials)) * float64(excess*excess))
	return max(len(trials)+1, int(min(need, float64(u.Most))))
}
