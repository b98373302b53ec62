package scenarios

import (
	"math/big"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// maxDepthUnits limits a bucket's depth in units of 1/P token, so that the sum
// of two depths fits an int64.
const maxDepthUnits = int64(1) << 62

// depthFits checks that burst*P is within maxDepthUnits, for the limit N/P in
// lowest terms.
func (l *loader) depthFits(burst int64, limit units.Rate, at place) bool {
	_, p := limit.Reduced()
	if burst <= maxDepthUnits/p {
		return true
	}
	l.report(at, "a bucket of %d at %s is too large to count exactly: the burst may be at most %d, or choose a count that divides the period in nanoseconds",
		burst, limit, maxDepthUnits/p)
	return false
}

// timeBase checks that all traffic of a scenario uses the same time base.
// recorded reports that all of it is recorded.
func (l *loader) timeBase(entries []entry) (recorded bool) {
	recorded = len(entries) > 0 && !slices.ContainsFunc(entries, func(e entry) bool { return e.Pattern != patternTrace })
	all := !slices.ContainsFunc(entries, func(e entry) bool { return !e.keepsTime() })
	for i := range entries {
		e := &entries[i]
		if e.keepsTime() && !all {
			l.report(place{e.Pos, e.node.path.up}, "%s has recorded times and cannot be combined with other traffic: set rebase: true", Clip(e.Name))
		}
	}
	return recorded
}

func keepsTime(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return e.keepsTime() })
}

// span checks the duration: a whole window of every policy must lie between the
// warm-up and the end. It rounds the warm-up up to whole windows of the policy
// with the longest window.
func (l *loader) span(n *node, s *Scenario, policies []Policy, recorded bool) {
	if s.Duration == 0 && !recorded {
		if n.get("duration") == nil && l.root.get("duration") == nil {
			l.report(n.at("duration"), "is required: how long to simulate, such as 60s")
		}
		return
	}
	if policies == nil {
		return
	}
	at := place{n.at("warmup").pos, n.path}
	if n.get("duration") != nil {
		at.pos = n.at("duration").pos
	}
	w := s.LongestWindow()
	if rest := s.Warmup % w; rest > 0 {
		if s.Warmup > 1<<63-1-w {
			l.report(at.field("warmup"), "is too long")
			return
		}
		s.Warmup += w - rest
	}
	for i := range policies {
		w := policies[i].Limit.Per
		if first := (s.Warmup + w - 1) / w; s.Duration > 0 && first >= s.Duration/w {
			l.report(at.field("duration"), "no whole window of the policy (%s) fits between the end of the warm-up at %s and the duration of %s",
				units.FormatDuration(w), units.FormatDuration(s.Warmup), units.FormatDuration(s.Duration))
			return
		}
	}
}

// entrySpans checks from and to of the traffic and sets the default of To.
func (l *loader) entrySpans(entries []entry, duration int64) {
	for i := range entries {
		e := &entries[i]
		if e.keepsTime() {
			for _, field := range []string{"from", "to"} {
				if e.values[field].Given {
					l.report(e.node.at(field), "a trace with recorded times does not support %s: set rebase: true", field)
				}
			}
			continue
		}
		if !e.values.Set("to") {
			e.To = duration
		}
		switch {
		case duration > 0 && e.To > duration:
			l.report(e.node.at("to"), "%s is after the scenario's duration of %s", units.FormatDuration(e.To), units.FormatDuration(duration))
		case e.To > 0 && e.From >= e.To:
			l.report(e.node.at("from"), "%s is not before the end at %s", units.FormatDuration(e.From), units.FormatDuration(e.To))
		}
	}
}

// spreads checks skewed shares against the number of clients.
func (l *loader) spreads(entries []entry, t *Topology) {
	for i := range entries {
		spread := entries[i].Spread
		if spread.Name != "skewed" {
			continue
		}
		shares := spread.Values.List("shares")
		at := place{spread.Pos, entries[i].node.at("spread").field("skewed").field("shares").path}
		sum := new(big.Rat)
		for _, x := range shares {
			f := x.(units.Fraction)
			sum.Add(sum, big.NewRat(f.Num, f.Den))
		}
		if one := big.NewRat(1, 1); sum.Cmp(one) != 0 {
			percent, _ := new(big.Rat).Mul(sum, big.NewRat(100, 1)).Float64()
			l.report(at, "the sum is %s%%, but must be 100%%", units.FormatDecimal(percent))
		}
		if t != nil && len(shares) > t.Clients {
			l.report(at, "the number of shares is %d, but the topology has %d clients", len(shares), t.Clients)
		}
	}
}

// bursts checks the depth of every bucket, which the algorithm or the policy
// sets. It must be countable and, without debt, hold the request with the
// largest cost.
func (l *loader) bursts(n *node, s *Scenario, entries []entry) {
	for _, a := range s.running() {
		for j, policy := range s.Policies() {
			if !l.burst(a, &policy, largestCost(a, entries, j, policy.Requests), itemOf(n, a).place) {
				break
			}
		}
	}
}

// burst checks the depth of an algorithm's bucket under one policy.
func (l *loader) burst(a *Algorithm, policy *Policy, cost int64, at place) bool {
	burst, own := a.Options["burst"].V.(int64)
	if !own {
		burst = policy.Burst
	} else if !l.depthFits(burst, policy.Limit, at) {
		return false
	}
	switch {
	case !l.needsBurst(a):
	case burst == 0:
		l.report(at, "%s needs a burst of at least 1, but policy %s has 0, which requires debt: true", Clip(a.Name), Clip(policy.Name))
		return false
	case burst < cost:
		l.report(at, "%s has a burst of %d and can never admit a request of cost %d", Clip(a.Name), burst, cost)
		return false
	}
	return true
}
