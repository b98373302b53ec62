package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
)

func (p *plan) world(replication int) faults.World {
	t := &p.scenario.Topology
	return faults.World{
		Clients: t.Clients, Servers: t.Servers, Start: p.origin(), End: p.end,
		Stream: func(name string) random.Stream { return random.New(p.scenario.Seed, p.first+replication, name) },
	}
}

// drawsFaults reports whether an algorithm is affected by a fault that draws
// random numbers.
func (p *plan) drawsFaults(a *scenarios.Algorithm) bool {
	for i := range p.scenario.Faults {
		f := &p.scenario.Faults[i]
		if limiters.Of(a).IsAffectedBy(f.Kind) && faults.Draws(f, p.world(0)) {
			return true
		}
	}
	return false
}

// sticky reports whether a traffic entry assigns requests to clients by key or
// tenant.
func (p *plan) sticky() bool {
	for i := range p.scenario.Traffic {
		switch p.scenario.Traffic[i].Spread.Name {
		case "hash", "sticky":
			return true
		}
	}
	return false
}

// exactChanges returns the changes of a policy's limit for its exact limiter.
func (p *plan) exactChanges(s *engine.Setting, limit counter.Limit, policy int) []counter.Change {
	return s.Changes(limit, func(limit counter.Limit, _ int) counter.Limit { return p.exactLimit(limit, policy) })
}

// measuredFaults returns the time spans in which faults are in force.
func measuredFaults(s *engine.Setting) []measure.Span {
	var list []measure.Span
	for _, f := range s.Faults.Spans() {
		list = append(list, measure.Span{From: f.From, To: f.To})
	}
	return list
}
