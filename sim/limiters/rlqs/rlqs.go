// Package rlqs simulates clients that report their usage to a quota service and
// enforce what it assigns to them.
//
// The package makes no promise: it can change at any time.
package rlqs

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rlqs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that enforce the quota that a service assigns to them.
var Limiter = engine.Limiter{
	Entry:       rlqs.Entry(),
	Presets:     rlqs.Presets(),
	Check:       check,
	Executor:    newExecutor,
	ClientBytes: 96,
	Random:      draws,
	Servers:     engine.TopologyServers,
	AffectedBy:  append([]string{"report-loss", "report-delay", "report-reorder"}, network.CallFaults...),
	Sidecar:     true,
	OnePolicy:   "Envoy's filter counts each request in one bucket of the quota service",
	Predict:     predict,
}

// limiter runs the clients, the servers and the messages between them. A client and
// a server are the ends of a stream: messages have no timeout, and none is sent
// again.
type limiter struct {
	*network.Messages[message]
	owners    network.Owners
	config    rlqs.Config
	clients   []*rlqs.Client
	servers   []*rlqs.Server
	first     []int64 // by client: its phase, unless its timer starts with its first request
	reporting []bool  // by client: its timer runs
	reports   []int32 // by server, while a client reports: the message to it, or none
	answers   []int32 // by client, while a server answers: the message to it, or none
	load      *measure.Load
}

// none refers to no message.
const none = int32(-1)

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	c, err := rlqs.ConfigFrom(a.Options, s.Limit)
	if err != nil {
		return err
	}
	return cmp.Or(c.Admits(s.MaxCost, s.Clients()), s.CheckLimits(c.Check))
}

func draws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config := engine.Must(rlqs.ConfigFrom(a.Options, s.Limit))
	return !config.FirstRequest && config.Phase.Draws() || network.DrawsLatency(s, a)
}

func newExecutor(t *engine.Trial) (engine.Executor, error) {
	l := &limiter{
		config: engine.Must(rlqs.ConfigFrom(t.Algorithm.Options, t.Limit)), load: t.Load(),
		reporting: make([]bool, t.Clients()),
		reports:   slices.Repeat([]int32{none}, t.AllServers()), answers: slices.Repeat([]int32{none}, t.Clients()),
	}
	l.Messages = network.NewMessages[message](t, t.AllServers(), l.fire, l.applyFaults)
	l.To = faults.Servers
	l.owners = network.NewOwners(t.Setting, nil, l.move)
	if !l.config.FirstRequest {
		phase := t.Stream("phase")
		l.first = l.config.Phase.First(t.Clients(), l.config.Interval, &phase)
	}
	for range t.Clients() {
		l.clients = append(l.clients, rlqs.NewClient(&l.config))
	}
	for i := range t.AllServers() {
		l.servers = append(l.servers, rlqs.NewServer(&l.config))
		if l.config.Rebalance > 0 {
			l.Schedule(t.Origin+l.config.Rebalance, rebalanceDue, int32(i))
		}
	}
	return engine.NewBlockExecutor(t.Sinks, l), nil
}

func (l *limiter) applyFaults(c network.Change) {
	for _, server := range c.Restarted {
		l.servers[server].Restart()
	}
	l.owners.ApplyFaults(c.At)
	l.owners.Reassign(c.At)
	if c.Limited {
		for _, s := range l.servers {
			s.Relimit(c.Limit)
		}
	}
	for id := c.Active; id < c.Before; id++ {
		l.clients[id] = rlqs.NewClient(&l.config)
	}
}

// move removes a key that gets another owner from all servers.
func (l *limiter) move(_ int64, key, _ int32) {
	for _, s := range l.servers {
		s.Forget(key)
	}
}

func (l *limiter) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	cut := l.Next()
	for i := lo; i < hi; i++ {
		now, id, key := a.Time[i], a.Client[i], a.Key[i]
		if now >= cut {
			return i - lo // an earlier arrival has scheduled an event
		}
		c := l.clients[id]
		if at, ok := c.AssignedAt(key); ok {
			l.load.Staleness(now, now-at)
		}
		verdict, subscribe := c.Decide(now, key, a.Cost[i])
		verdicts[i-lo] = verdict
		if subscribe {
			l.subscribe(now, id, key)
			cut = l.Next()
		}
	}
	return hi - lo
}

// Inspect returns what the client can admit by its assignment. A client that admits
// everything has no level.
func (l *limiter) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	level, ok := l.clients[client].Level(now, key)
	switch {
	case !ok:
		return engine.UnknownLevel, now
	case level >= cost:
		return level, now
	}
	return level, l.clients[client].RetryAt(now, key, cost)
}
