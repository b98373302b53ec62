package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/limiters/local"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
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
		list = append(list, logs.WarnCoarse(r.Facts, p.shortestWindow())...)
		if named, clients := len(r.Clients().Of), p.scenario.Topology.Clients; named > clients {
			list = append(list, fmt.Sprintf("the recording names %d clients and the topology has %d: several share one", named, clients))
		}
	}
	list = append(list, p.tooLate()...)
	for i, name := range p.policyNames() {
		if p.traffic.MultiPolicy() && p.traffic.MaxCostOf(i) == 0 {
			list = append(list, fmt.Sprintf("policy %s applies to no request", name))
		}
	}
	for _, r := range p.rows {
		if cost, depth := p.tooLarge(r); cost > 0 {
			list = append(list, fmt.Sprintf("the largest request asks %d and %s holds %d at most: it never admits such a request",
				cost, r.name, depth))
		}
	}
	return list
}

// tooLate is what the scenario says and never happens, because its time is up
// by then.
func (p *plan) tooLate() (list []string) {
	for i := range p.scenario.Traffic {
		t := &p.scenario.Traffic[i]
		for _, late := range patterns.LateOf(t.Pattern, t.Options, patterns.Span{From: t.From, To: t.To}) {
			list = append(list, fmt.Sprintf("%s lasts %s: its %s at %s never comes",
				t.Name, units.FormatDuration(t.To-t.From), late.What, units.FormatDuration(late.At)))
		}
	}
	lasts := p.end - p.origin()
	for i := range p.scenario.Faults {
		if f := &p.scenario.Faults[i]; f.From >= lasts {
			list = append(list, fmt.Sprintf("the run lasts %s: its fault %s at %s never comes",
				units.FormatDuration(lasts), f.Kind, units.FormatDuration(f.From)))
		}
	}
	return list
}

// tooLarge is the cost of the largest request under the first policy under which
// a row's bucket, if it has one that admits only what it holds, is less deep.
func (p *plan) tooLarge(r row) (cost, depth int64) {
	a := r.algorithm
	if a == nil || a.Counter != "token-bucket" && a.Counter != "gcra" || a.Options.Bool("debt") {
		return 0, 0
	}
	for i, policy := range p.scenario.Policies() {
		limit := limitOf(&policy)
		if a.Enforcement == "local" {
			limit = local.LocalLimit(a, limit, p.scenario.Topology.Clients)
		}
		if a.Options.Set("burst") {
			limit.Burst = a.Options.Int("burst")
		}
		if cost := p.traffic.MaxCostOf(i); limit.Burst < cost {
			return cost, limit.Burst
		}
	}
	return 0, 0
}
