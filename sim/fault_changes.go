package sim

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
)

func (p *plan) world(replication int) faults.World {
	t := &p.scenario.Topology
	return faults.World{
		Clients: t.Clients, Servers: t.Servers, Start: p.origin(), End: p.end, Keys: p.faultKeys,
		Stream: func(name string) random.Stream { return random.New(p.scenario.Seed, p.first+replication, name) },
	}
}

// drawsFaults reports whether an algorithm is affected by a fault that draws
// random numbers.
func (p *plan) drawsFaults(a *scenarios.Algorithm) bool {
	return slices.ContainsFunc(p.scenario.Faults, func(f scenarios.Fault) bool {
		return limiters.Of(a).IsAffectedBy(f.Kind) && faults.Draws(&f, p.world(0))
	})
}

// sticky reports whether a traffic entry assigns requests to clients by key or
// tenant.
func (p *plan) sticky() bool {
	return slices.ContainsFunc(p.scenario.Traffic, func(t scenarios.Traffic) bool {
		return t.Spread.Name == "hash" || t.Spread.Name == "sticky"
	})
}

// exactChanges returns the changes of a policy's limit for its exact limiter.
func (p *plan) exactChanges(s *engine.Setting, limit counting.Limit, policy int) []counting.Change {
	return s.Changes(limit, func(limit counting.Limit, _ int) counting.Limit { return p.exactLimit(limit, policy) })
}

// measuredFaults returns the time spans in which faults are in force.
func measuredFaults(s *engine.Setting) []measure.Span {
	return lists.Map(s.Faults.Spans(), func(f faults.Span) measure.Span { return measure.Span{From: f.From, To: f.To} })
}
