package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// warnings returns what a reader of a scenario's figures must know although no
// part of the scenario is wrong by itself.
func (p *plan) warnings() []string {
	list := []string{}
	for _, w := range p.scenario.Warnings {
		list = append(list, fmt.Sprintf("line %d, column %d: %s: %s", w.Pos.Line, w.Pos.Col, w.Field, w.Message))
	}
	for i := range p.scenario.Traffic {
		r := p.recordings[i]
		if r == nil {
			continue
		}
		for _, c := range r.Facts.Choices {
			list = append(list, c.Warnings...)
		}
		list = append(list, logs.WarnCoarse(r.Facts, p.shortestWindow())...)
		if named, clients := len(r.Clients().Of), p.scenario.Topology.Clients; named > clients {
			list = append(list, fmt.Sprintf("the recording names %s and the topology has %d: several share one", format.Count(named, "client"), clients))
		}
	}
	if g := p.scenario.Guard; g != nil && g.Deadline > 0 && g.Deadline < p.resolution() {
		list = append(list, fmt.Sprintf("stamps resolve to %s, more than the deadline of %s: which answers are in time is not known, so there are no figures of goodput",
			units.FormatDuration(p.resolution()), units.FormatDuration(g.Deadline)))
	}
	list = append(list, p.warnRecorded()...)
	list = append(list, p.tooLate()...)
	for i, name := range p.policyNames() {
		if p.traffic.MultiPolicy() && p.traffic.MaxCostOf(i) == 0 {
			list = append(list, fmt.Sprintf("policy %s applies to no request", name))
		}
	}
	for _, r := range p.rows {
		if r.algorithm == nil {
			continue
		}
		for _, a := range limiters.Parts(r.algorithm) {
			if cost, depth := p.tooLarge(a); cost > 0 {
				list = append(list, fmt.Sprintf("the largest request asks %d and %s holds %d at most: it never admits such a request",
					cost, a.Name, depth))
			}
		}
	}
	return list
}

// tooLate returns warnings about parts of the traffic that begin after its end.
func (p *plan) tooLate() (list []string) {
	for i := range p.scenario.Traffic {
		t := &p.scenario.Traffic[i]
		for _, late := range patterns.LateOf(t.Pattern, t.Options, patterns.Span{From: t.From, To: t.To}) {
			list = append(list, fmt.Sprintf("%s lasts %s: its %s at %s never comes",
				t.Name, units.FormatDuration(t.To-t.From), late.What, units.FormatDuration(late.At)))
		}
	}
	return list
}

// tooLarge returns the most that a request takes on arrival and the largest cost that
// an algorithm's counter admits, for the first policy under which the request is
// larger. It returns zeros if there is none.
func (p *plan) tooLarge(a *scenarios.Algorithm) (cost, depth int64) {
	for i, policy := range p.scenario.Policies() {
		limit := limitOf(&policy)
		if share := limiters.Of(a).ClientLimit; share != nil {
			limit = share(a, limit, p.scenario.Topology.Clients)
		}
		depth, bounded := counting.LargestCost(a.Counter, limit, a.Options)
		if cost := p.largestCharge(a, i); bounded && depth < cost {
			return cost, depth
		}
	}
	return 0, 0
}

// largestCharge returns the most that a request takes on arrival under a policy.
func (p *plan) largestCharge(a *scenarios.Algorithm, policy int) int64 {
	cost, estimate := p.maxCostOf(policy), p.traffic.MaxEstimateOf(policy)
	if !p.traffic.Settles() || cost == 0 {
		return cost
	}
	c, err := settlement.ConfigFrom(a.Options, p.largest())
	if err != nil {
		return 0 // the limiter's check reports it
	}
	return c.Largest(estimate)
}

// largest returns the largest cost, or estimate of a cost, of any request.
func (p *plan) largest() int64 { return max(p.traffic.MaxCost(), p.traffic.MaxEstimate()) }
