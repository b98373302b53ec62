package sim

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// workers reports whether callers of the plan's traffic wait for answers.
func (p *plan) workers() bool { return len(p.traffic.Crews()) > 0 }

// jobs returns what is known of the jobs of a replication before it runs, and adds them to
// its digest; nil without workers.
func (p *plan) jobs(replication int, digest *traffic.Digest) *measure.Jobs {
	if !p.workers() {
		return nil
	}
	j := &measure.Jobs{}
	for _, c := range p.traffic.Crews() {
		j.Workers += int(c.Workers)
		j.Stock += c.Stock
		if c.Stock == 0 {
			j.Endless, j.NoIdeal = true, "the stock of jobs has no end"
		}
	}
	if p.traffic.Keys() > 1 || p.scenario.Further != nil || len(p.scenario.Faults) > 0 {
		j.NoWindows = "for one key of one policy without faults"
	}
	ideal := ideal{plan: p, cost: make([]int64, p.traffic.Keys()), dearest: make([]int64, p.traffic.Keys()), from: math.MaxInt64, answer: math.MaxInt64}
	for _, c := range p.traffic.Crews() {
		if c.Stock > 0 {
			ideal.from = min(ideal.from, c.From)
			ideal.add(c.Open(p.scenario.Seed, p.first+replication), digest)
		}
	}
	if j.NoIdeal == "" {
		j.Ideal, j.NoIdeal = ideal.finish()
	}
	return j
}

// ideal finds the earliest time at which exact limits can have admitted all jobs.
type ideal struct {
	plan    *plan
	cost    []int64 // of all jobs, by key
	dearest []int64 // of one of them, by key
	from    int64   // when the first workers may begin
	answer  int64   // the least
}

// add adds the jobs of an entry.
func (i *ideal) add(jobs *traffic.JobStream, digest *traffic.Digest) {
	several := i.plan.traffic.MultiPolicy()
	for jobs.Next() {
		b := jobs.Block
		if jobs.Row == 0 {
			digest.Add(b)
		}
		i.answer = min(i.answer, b.Answer[jobs.Row])
		if !several {
			i.count(b.Key[jobs.Row], b.Cost[jobs.Row])
			continue
		}
		for _, key := range b.Descriptors.Of(jobs.Row) {
			cost := b.Cost[jobs.Row]
			if i.plan.policies[i.plan.checked.PolicyOf(key)].Requests {
				cost = 1
			}
			i.count(key, cost)
		}
	}
}

func (i *ideal) count(key int32, cost int64) {
	i.cost[key] += cost
	i.dearest[key] = max(i.dearest[key], cost)
}

// finish returns the time from the start of the run, in ns, or why there is none.
func (i *ideal) finish() (latest int64, none string) {
	p := i.plan
	for n, policy := range p.scenario.Policies() {
		limit := referenceLimit(&policy)
		first, to := p.traffic.KeysOf(n)
		for key, cost := range i.cost[first:to] {
			kind := exactKinds[policy.Reference.Kind].kind
			if kind != measure.TokenBucket && i.dearest[int(first)+key] > limit.Count {
				return 0, "a job costs more than its limit ever admits"
			}
			latest = max(latest, earliest(kind, limit, i.from, cost))
		}
	}
	return latest + i.answer, ""
}

// earliest returns when an exact limit, idle until a time, can have admitted this cost.
func earliest(kind measure.Kind, limit counting.Limit, from, cost int64) int64 {
	if cost == 0 {
		return 0
	}
	windows := (cost - 1) / limit.Count
	switch kind {
	case measure.TokenBucket:
		return from + integers.MulDivUp(max(0, cost-limit.Burst), limit.Window, limit.Count, math.MaxInt64/2)
	case measure.FixedWindow: // of the calendar
		return max(from, integers.Mul(from/limit.Window+windows, limit.Window, math.MaxInt64/2))
	}
	return from + integers.Mul(windows, limit.Window, math.MaxInt64/2)
}
