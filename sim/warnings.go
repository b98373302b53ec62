package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/sim/enforcements"
	"github.com/limitgauge/limitgauge/sim/trace"
)

// warnings are what a reader of a scenario's figures must know, and what is
// wrong with none of its parts alone.
func (p *plan) warnings() []string {
	list := []string{}
	for i := range p.scenario.Traffic {
		r := p.recordings[i]
		if r == nil {
			continue
		}
		list = append(list, trace.WarnCoarse(r.Facts, p.limit.Window)...)
		if named, clients := len(r.ClientNames), p.scenario.Topology.Clients; named > clients {
			list = append(list, fmt.Sprintf("the recording names %d clients and the topology has %d: several share one", named, clients))
		}
	}
	for _, r := range p.rows {
		if depth, strict := p.depth(r); strict && depth < p.traffic.MaxCost() {
			list = append(list, fmt.Sprintf("the largest request asks %d and %s holds %d at most: it never admits such a request",
				p.traffic.MaxCost(), r.name, depth))
		}
	}
	return list
}

// depth is the depth of a row's bucket, where it has one that admits only what
// it holds.
func (p *plan) depth(r row) (depth int64, strict bool) {
	a := r.algorithm
	if a == nil || a.Counter != "token-bucket" && a.Counter != "gcra" || a.Options.Bool("debt") {
		return 0, false
	}
	depth = p.limit.Burst
	if a.Enforcement == "local" {
		depth = enforcements.LocalLimit(p.setting(), a).Burst
	}
	if a.Options.Set("burst") {
		depth = a.Options.Int("burst")
	}
	return depth, true
}
