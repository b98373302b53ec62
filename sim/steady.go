package sim

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// stationary lists the patterns whose rate, or the distribution of whose rate, is the same
// at all times. Periodic ones with a random offset are, too.
var stationary = []string{"constant", "poisson", "gamma", "bursty", "pareto"}

// unsteady returns what makes one part of the measured span differ from another, other
// than its start, such as "square traffic" and "faults".
func (p *plan) unsteady() (reasons []string) {
	s := p.scenario
	add := func(reason string) {
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	for i, t := range s.Traffic {
		switch {
		case p.recordings[i] != nil:
			add("recorded traffic")
		case !slices.Contains(stationary, t.Pattern) && !randomPhase(t):
			add(t.Pattern + " traffic")
		case t.From > p.start || t.To < p.end:
			add("traffic that begins or ends")
		}
	}
	if p.checked.Faults.Next(p.start) < p.end {
		add("faults")
	}
	if s.Guard != nil && len(s.Guard.Slow) > 0 {
		add("slow periods of the backend")
	}
	if slices.ContainsFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Rollout != nil && a.Rollout.Until > p.start }) {
		add("a rollout")
	}
	return reasons
}

// randomPhase reports whether a pattern is periodic with a random offset. Others have an
// offset of another kind, or none.
func randomPhase(t scenarios.Traffic) bool {
	offset, ok := t.Options["offset"].V.(catalog.Choice)
	return ok && offset.Name == "random"
}

// warmUp returns the warm-up that leaves the start out of stationary traffic: three times
// the longer of the window and the time in which a full bucket drains, or an empty one
// fills, B/|lambda - r|. lambda is the cost offered to a key per second, in the mean of
// the keys, and B the bucket's depth. Near the limit the bucket's level is a random walk,
// which crosses the bucket in about B^2/lambda. Of several policies, it is the longest.
// warmUp also returns how long full buckets drain. It returns 0 if nothing is offered.
func (p *plan) warmUp(reference results.Result) (warmUp, drain int64) {
	offered := reference.Summary("offered_cost").Mean
	if offered == nil || *offered == 0 {
		return 0, 0
	}
	longest := p.scenario.LongestWindow()
	settles, drains := float64(longest)/1e9, 0.0 // s
	for i, policy := range p.scenario.Policies() {
		from, to := p.traffic.KeysOf(i)
		lambda := *offered / float64(to-from) / (float64(p.end-p.start) / 1e9)
		rate, burst := policy.Reference.Limit.PerSecond(), float64(p.exactLimit(referenceLimit(&policy), i).Burst)
		crosses := min(burst/math.Abs(lambda-rate), burst*burst/lambda)
		settles = max(settles, crosses)
		if lambda > rate {
			drains = max(drains, crosses)
		}
	}
	windows := math.Ceil(3 * settles * 1e9 / float64(longest))
	return int64(min(windows, float64(1<<61/longest))) * longest, int64(min(drains*1e9, 1<<61))
}
