// Package clientthrottle simulates clients that reject a share of their requests
// before they reach a limiter.
//
// The package makes no promise: it can change at any time.
package clientthrottle

import (
	"github.com/limitgauge/limitgauge/algorithms/clientthrottle"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that throttle themselves in front of a limiter.
var Limiter = engine.Limiter{
	Entry:       clientthrottle.Entry(),
	Presets:     clientthrottle.Presets(),
	Check:       checkThrottle,
	Executor:    newThrottle,
	ClientBytes: 64,
	Random:      throttleDraws,
	Servers:     engine.TopologyServers,
	AffectedBy:  []string{"autoscale", "policy-change"},
	Sidecar:     true,
}

func checkThrottle(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := clientthrottle.ConfigFrom(a.Options)
	if err != nil {
		return err
	}
	if config.Guard {
		return guardable(s)
	}
	return s.CheckTables(a, engine.Whole)
}

// throttleDraws always reports true: it depends on the traffic whether a client
// draws.
func throttleDraws(*engine.Setting, *scenarios.Algorithm) bool { return true }

func newThrottle(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(clientthrottle.ConfigFrom(t.Algorithm.Options))
	c := throttlers{config: config, coin: t.Stream("coin"), load: t.Load(), joins: engine.IsJoint(t.Setting, t.Algorithm), joint: counting.JointOf(t.Algorithm.Options)}
	for range t.Clients() {
		c.clients = append(c.clients, clientthrottle.NewClient(&c.config))
	}
	if config.Guard {
		return newGuarded(t, c), nil
	}
	b := &throttledBlocks{throttlers: c, Changes: network.NewChanges(t, 0), servers: t.AllServers()}
	b.Apply = b.applyFaults
	if c.joins {
		b.limiter = engine.Must(engine.NewTables(t.Setting, t.Algorithm, engine.Whole))
	} else {
		b.limiter = engine.Must(t.NewTable(t.Algorithm, t.Limit, engine.Whole, t.Keys))
	}
	return engine.NewBlockExecutor(t.Sinks, b), nil
}

// throttlers are the clients that throttle themselves.
type throttlers struct {
	config  clientthrottle.Config
	clients []*clientthrottle.Client
	coin    random.Stream
	load    *measure.Load
	joins   bool // the limiter decides about all keys of a request together
	joint   counting.Joint
}

// take has a limiter decide a request. It appends the keys whose own limit accepts it
// to accepted.
func (t *throttlers) take(limiter counting.Table, keys []int32, now, cost int64, accepted []int32) (counting.Verdict, []int32) {
	if t.joins {
		for _, key := range keys {
			if limiter.RetryAt(key, now, cost) <= now {
				accepted = append(accepted, key)
			}
		}
		return t.joint.Take(limiter, keys, now, cost), accepted
	}
	v := limiter.Take(keys[0], now, cost)
	if v.Admitted() {
		accepted = append(accepted, keys[0])
	}
	return v, accepted
}

// throttledBlocks runs clients in front of one limiter that responds at once.
type throttledBlocks struct {
	throttlers
	network.Changes
	limiter  counting.Table
	servers  int // of the keys, in figures of the load
	accepted []int32
}

func (b *throttledBlocks) applyFaults(c network.Change) {
	for id := c.Active; id < c.Before; id++ {
		b.clients[id] = clientthrottle.NewClient(&b.config)
	}
}

func (b *throttledBlocks) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		now, keys := a.Time[i], a.Keys(i)
		b.Follow(now)
		client := b.clients[a.Client[i]]
		switch {
		case len(keys) == 0:
			verdicts[i-lo] = counting.Admitted
			continue
		case !client.SendsAll(now, keys, &b.coin):
			verdicts[i-lo] = counting.MakeVerdict(false, counting.ByLocal)
			continue
		}
		b.load.Call(now, int(routing.Owner(keys[0], b.servers)), int64(len(keys)))
		verdicts[i-lo], b.accepted = b.take(b.limiter, keys, now, a.Cost[i], b.accepted[:0])
		client.AcceptedAll(now, b.accepted)
	}
	return hi - lo
}

func (*throttledBlocks) Next() int64 { return engine.Never }
func (*throttledBlocks) Step(int64)  {}

// Inspect returns the state of the limiter.
func (b *throttledBlocks) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return b.limiter.Level(key, now), b.limiter.RetryAt(key, now, cost)
}
