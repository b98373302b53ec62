// Package local simulates limiters that keep a counter of their own in every client.
//
// The package makes no promise: it can change at any time.
package local

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	algorithm "github.com/limitgauge/limitgauge/algorithms/local"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Limiter describes clients that keep counters of their own and share nothing.
var Limiter = engine.Limiter{
	Entry:          algorithm.Entry(),
	Presets:        algorithm.Presets(),
	Check:          checkLocal,
	Executor:       newLocal,
	AffectedBy:     []string{"autoscale", "policy-change"},
	KeyBytes:       keyBytes,
	ClientLimit:    clientLimit,
	CountsRequests: true,
	Sidecar:        true,
}

// localDecider gives every client a table of its own: one table whose keys are
// pairs of client and key.
type localDecider struct {
	table counting.Table
	keys  int32 // a client's keys
	pairs []int32
}

func (d *localDecider) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	pairs := d.pairs[:hi-lo]
	for i := range pairs {
		pairs[i] = a.Client[lo+i]*d.keys + a.Key[lo+i]
	}
	d.table.TakeBlock(pairs, a.Time[lo:hi], a.Cost[lo:hi], verdicts)
	for i := range verdicts {
		verdicts[i] |= counting.Verdict(counting.ByLocal) << 1
	}
	return hi - lo
}

func (*localDecider) Next() int64 { return engine.Never }
func (*localDecider) Step(int64)  {}

func (d *localDecider) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	pair := client*d.keys + key
	return d.table.Level(pair, now), d.table.RetryAt(pair, now, cost)
}

// localJoint gives every client counters of its own for all keys of a request. It also
// decides for clients with different shares of the limit.
type localJoint struct {
	joint   counting.Joint
	clients []counting.Table
}

func newLocalJoint(s *engine.Setting, a *scenarios.Algorithm) *localJoint {
	d := &localJoint{joint: counting.JointOf(a.Options)}
	for i := range s.Clients() {
		d.clients = append(d.clients, engine.Must(engine.NewTables(s, a, shareOf(a, int32(i)))))
	}
	return d
}

func (d *localJoint) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.clients[a.Client[i]], a.Keys(i), a.Time[i], a.Cost[i]) | counting.Verdict(counting.ByLocal)<<1
	}
	return hi - lo
}

func (*localJoint) Next() int64 { return engine.Never }
func (*localJoint) Step(int64)  {}

func (d *localJoint) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return d.clients[client].Level(key, now), d.clients[client].RetryAt(key, now, cost)
}

func checkLocal(s *engine.Setting, a *scenarios.Algorithm) error {
	if err := cmp.Or(s.CheckPairs(s.Clients(), "clients"), checkShares(s, a)); err != nil {
		return err
	}
	return s.EachLimit(func(limit counting.Limit, _ int) error {
		return eachShare(a, func(share engine.Sharing) error {
			_, err := s.NewTable(a, limit, share, 0)
			return err
		})
	})
}

func newLocal(t *engine.Trial) (engine.Executor, error) {
	a, keys := t.Algorithm, t.Keys
	if engine.IsJoint(t.Setting, a) || given(a) != nil {
		return engine.NewBlockExecutor(t.Sinks, newLocalJoint(t.Setting, a)), nil
	}
	table := engine.Must(t.NewTable(a, t.Limit, shareOf(a, 0), keys*t.Clients()))
	d := &localDecider{table: table, keys: int32(keys), pairs: make([]int32, traffic.BlockSize)}
	return engine.NewBlockExecutor(t.Sinks, d), nil
}

// keyBytes estimates the memory of one key in bytes: each client has a counter for it.
func keyBytes(a *scenarios.Algorithm, clients int) int64 {
	return engine.CounterBytes(a, clients) * int64(clients)
}
