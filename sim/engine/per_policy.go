package engine

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
)

// Judge is a Decider that can tell a decision without making it.
type Judge interface {
	Decider
	// Admits reports whether Decide would admit a request at now. It takes nothing
	// from the limit.
	Admits(key, client int32, now, cost int64) bool
}

// PerPolicy returns the Executor function of a limiter in which every client runs one
// instance for each policy. executor makes an instance as a BlockExecutor of a Judge.
// The instances have the same servers and send messages of their own. A request is
// admitted if the instances of all its keys admit it. With charge: none, they all
// state their decision before any of them makes it: if one rejects, those that would
// admit do not see the request.
func PerPolicy(executor func(t *Trial) (Executor, error)) func(t *Trial) (Executor, error) {
	return func(t *Trial) (Executor, error) {
		if !t.MultiPolicy() {
			return executor(t)
		}
		d := &perPolicy{setting: t.Setting, chargeNone: counting.JointOf(t.Algorithm.Options).ChargeNone}
		for i, policy := range t.Policies {
			own := *t
			own.Setting = t.ofPolicy(i)
			own.Faults = t.Faults.Part()
			if i > 0 {
				own.policy = policy.Name
			}
			built, err := executor(&own)
			if err != nil {
				return nil, fmt.Errorf("policy %s: %w", policy.Name, err)
			}
			d.policies = append(d.policies, built.(*BlockExecutor).decider.(Judge))
		}
		return NewBlockExecutor(t.Sinks, d), nil
	}
}

// CheckPerPolicy returns the Check function of a limiter that PerPolicy runs.
func CheckPerPolicy(check func(s *Setting, a *scenarios.Algorithm) error) func(s *Setting, a *scenarios.Algorithm) error {
	return func(s *Setting, a *scenarios.Algorithm) error {
		if !s.MultiPolicy() {
			return check(s, a)
		}
		for i, policy := range s.Policies {
			if err := check(s.ofPolicy(i), a); err != nil {
				return fmt.Errorf("policy %s: %w", policy.Name, err)
			}
		}
		return nil
	}
}

// ofPolicy returns the setting of a limiter that enforces policy i alone. Its keys keep
// their ids.
func (s *Setting) ofPolicy(i int) *Setting {
	own, policy := *s, s.Policies[i]
	own.Limit, own.Policies, own.Keys, own.MaxCost = policy.Limit, nil, int(policy.To), policy.MaxCost
	return &own
}

// perPolicy decides with one limiter for each policy.
type perPolicy struct {
	setting    *Setting
	policies   []Judge
	chargeNone bool
	row        columns // the key that is being decided
	verdict    [1]counting.Verdict
}

func (d *perPolicy) of(key int32) Judge { return d.policies[d.setting.PolicyOf(key)] }

func (d *perPolicy) Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		if i > lo && d.Next() <= a.Time[i] {
			return i - lo // an earlier arrival has made an event due
		}
		verdicts[i-lo] = d.decide(a, i)
	}
	return hi - lo
}

// decide decides arrival i under all its keys. The cause is that of the first key that
// rejects it.
func (d *perPolicy) decide(a *Arrivals, i int) counting.Verdict {
	keys, verdict := a.Keys(i), counting.Admitted
	skips := d.chargeNone && d.anyRejects(keys, a.Client[i], a.Time[i], a.Cost[i])
	for _, key := range keys {
		if skips && d.of(key).Admits(key, a.Client[i], a.Time[i], a.Cost[i]) {
			continue
		}
		if v := d.decideKey(a, i, key); verdict.Admitted() {
			verdict = v
		}
	}
	return verdict
}

// anyRejects reports whether one of several keys would reject a request.
func (d *perPolicy) anyRejects(keys []int32, client int32, now, cost int64) bool {
	if len(keys) < 2 {
		return false
	}
	for _, key := range keys {
		if !d.of(key).Admits(key, client, now, cost) {
			return true
		}
	}
	return false
}

// decideKey has a key's limiter decide arrival i, after the events that an earlier key
// has made due.
func (d *perPolicy) decideKey(a *Arrivals, i int, key int32) counting.Verdict {
	r, now, limiter := &d.row, a.Time[i], d.of(key)
	r.time[0], r.cost[0], r.key[0], r.tenant[0], r.client[0] = now, a.Cost[i], key, a.Tenant[i], a.Client[i]
	row := r.arrivals(1)
	row.First = a.First + int64(i)
	for {
		for next := limiter.Next(); next <= now; next = limiter.Next() {
			limiter.Step(next)
		}
		if limiter.Decide(&row, 0, 1, d.verdict[:]) == 1 {
			return d.verdict[0]
		}
	}
}

func (d *perPolicy) Next() int64 {
	next := Never
	for _, p := range d.policies {
		next = min(next, p.Next())
	}
	return next
}

// Step runs what is due in the order of the policies.
func (d *perPolicy) Step(now int64) {
	for _, p := range d.policies {
		if p.Next() <= now {
			p.Step(now)
		}
	}
}

func (d *perPolicy) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return d.of(key).Inspect(key, client, now, cost)
}
