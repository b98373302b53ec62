// Package local simulates limiters that keep a counter of their own in every client.
package local

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	algorithm "github.com/limitgauge/limitgauge/algorithms/local"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/traffic"
)

// Limiter describes clients that keep counters of their own and share nothing.
var Limiter = engine.Limiter{
	Entry:       algorithm.Entry(),
	Presets:     algorithm.Presets(),
	Check:       checkLocal,
	Executor:    newLocal,
	AffectedBy:  []string{"autoscale", "policy-change"},
	MultiPolicy: true,
	KeyBytes:    keyBytes,
	ClientLimit: clientLimit,
	Sidecar:     true,
}

// localDecider gives every client a table of its own: one table whose keys are
// pairs of client and key.
type localDecider struct {
	table counter.Table
	keys  int32 // a client's keys
	pairs []int32
}

func (d *localDecider) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	pairs := d.pairs[:hi-lo]
	for i := range pairs {
		pairs[i] = a.Client[lo+i]*d.keys + a.Key[lo+i]
	}
	d.table.TakeBlock(pairs, a.Time[lo:hi], a.Cost[lo:hi], verdicts)
	for i := range verdicts {
		verdicts[i] |= counter.Verdict(counter.ByLocal) << 1
	}
	return hi - lo
}

func (*localDecider) Next() int64 { return engine.Never }
func (*localDecider) Step(int64)  {}

func (d *localDecider) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	pair := client*d.keys + key
	return d.table.Level(pair, now), d.table.RetryAt(pair, now, cost)
}

// localJoint gives every client counters of its own for all keys of a request.
type localJoint struct {
	joint   counter.Joint
	clients []counter.Table
}

func newLocalJoint(s *engine.Setting, a *scenarios.Algorithm) (*localJoint, error) {
	d := &localJoint{joint: counter.JointOf(a.Options)}
	for range s.Clients() {
		tables, err := engine.NewTables(s, a, share(a))
		if err != nil {
			return nil, err
		}
		d.clients = append(d.clients, tables)
	}
	return d, nil
}

func (d *localJoint) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.clients[a.Client[i]], a.Keys(i), a.Time[i], a.Cost[i]) | counter.Verdict(counter.ByLocal)<<1
	}
	return hi - lo
}

func (*localJoint) Next() int64 { return engine.Never }
func (*localJoint) Step(int64)  {}

func (d *localJoint) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return d.clients[client].Level(key, now), d.clients[client].RetryAt(key, now, cost)
}

func checkLocal(s *engine.Setting, a *scenarios.Algorithm) error {
	clients, keys := s.Clients(), s.Keys
	if clients > engine.MaxPairs/max(keys, 1) {
		return fmt.Errorf("%d clients with %d keys each need more than %d counters", clients, keys, engine.MaxPairs)
	}
	return s.EachLimit(func(limit counter.Limit, _ int) error {
		_, err := s.NewTable(a, limit, share(a), 0)
		return err
	})
}

func newLocal(t *engine.Trial) (engine.Executor, error) {
	a, keys := t.Algorithm, t.Keys
	if engine.IsJoint(t.Setting, a) {
		d, err := newLocalJoint(t.Setting, a)
		if err != nil {
			return nil, err
		}
		return engine.NewBlockExecutor(t.Sinks, d), nil
	}
	table, err := t.NewTable(a, t.Limit, share(a), keys*t.Clients())
	if err != nil {
		return nil, err
	}
	d := &localDecider{table: table, keys: int32(keys), pairs: make([]int32, traffic.BlockSize)}
	return engine.NewBlockExecutor(t.Sinks, d), nil
}

// share returns the limit of one client as a function of the policy's limit.
func share(a *scenarios.Algorithm) engine.Sharing {
	return func(limit counter.Limit, clients int) counter.Limit { return clientLimit(a, limit, clients) }
}

// clientLimit returns the part of a policy's limit that one client grants. A
// counter that works at any rational rate gets its exact part, as the limit in
// clients times the window. Other counters need a whole number of requests per
// window, which is rounded.
func clientLimit(a *scenarios.Algorithm, limit counter.Limit, clients int) counter.Limit {
	n := int64(clients)
	if a.Options.String("share") == "full" || n == 1 {
		return limit
	}
	part := func(whole int64) int64 {
		if a.Options.String("rounding") == "up" {
			whole += n - 1
		}
		return max(1, whole/n)
	}
	divided := counter.Limit{Count: part(limit.Count), Window: limit.Window, Burst: part(limit.Burst)}
	if counter.RationalRate(a.Counter) && limit.Window <= engine.Never/n {
		divided.Count, divided.Window = limit.Count, limit.Window*n
	}
	return divided
}

// keyBytes estimates the memory of one key in bytes: each client has a counter for it.
func keyBytes(clients int) int64 { return 56 * int64(clients) }
