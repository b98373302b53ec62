// Package delayedsync simulates clients that count by themselves and sync with a
// store at intervals.
//
// The package makes no promise: it can change at any time.
package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that synchronise their counts through a store.
var Limiter = engine.Limiter{
	Entry:       delayedsync.Entry(),
	Presets:     delayedsync.Presets(),
	Check:       engine.CheckPerPolicy(checkDelayed),
	Executor:    engine.PerPolicy(newDelayedSync),
	ClientBytes: 224,
	Random:      delayedDraws,
	Servers:     network.OneServer,
	AffectedBy:  []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock", "store-down", "store-latency", "autoscale", "policy-change"},
	Sidecar:     true,
}

// Event kinds, in the order in which they run when they share a timestamp.
const (
	syncDue uint32 = iota // a client sends its counts
	flushArrives
	syncAnswered
	syncFailed
)

// delayedSync runs the clients, the store and the messages between them.
type delayedSync struct {
	*network.Messages[syncMessage]
	config   delayedsync.Config
	store    *delayedsync.Store
	nodes    []node
	first    []int64 // tallies: by client, its first tick
	syncing  []bool  // by client: its sync is in flight; quotas: or its timer runs
	oldest   []int64 // by client: the first request that it has not sent, or -1
	deciding int64   // the time of the request being decided
	starts   []int32 // by client: how often it has started again
	load     *measure.Load
}

// node is a client: a *delayedsync.Tally with pull: counts, otherwise a
// *delayedsync.Quota.
type node interface {
	Flush(now int64, f *delayedsync.Flush)
	Apply(now int64, f *delayedsync.Flush, a *delayedsync.Answer)
	Fail(now int64, f *delayedsync.Flush)
	Level(now int64, key int32) (level, retryAt int64)
	Admits(now int64, key int32, cost int64) bool
}

// syncMessage carries a flush and the response to it.
type syncMessage struct {
	flush  delayedsync.Flush
	answer delayedsync.Answer
	start  int32 // of the client that sent it
	oldest int64 // the first request that the counts can be about
}

func delayedConfig(s *engine.Setting, a *scenarios.Algorithm) (delayedsync.Config, error) {
	return delayedsync.ConfigFrom(a.Options, s.Limit, a.Counter)
}

func checkDelayed(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := delayedConfig(s, a)
	return err
}

func delayedDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config := engine.Must(delayedConfig(s, a))
	return config.Pull == delayedsync.Counts && config.Phase.Draws() || network.DrawsLatency(s, a)
}

func newDelayedSync(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(delayedConfig(t.Setting, t.Algorithm))
	d := &delayedSync{
		config: config, load: t.Load(),
		starts: make([]int32, t.Clients()), syncing: make([]bool, t.Clients()),
	}
	d.Messages = network.NewMessages[syncMessage](t, 0, d.fire, d.applyFaults)
	d.Messages.To = faults.TheStore
	d.store = delayedsync.NewStore(&d.config)
	for i := range int32(t.Clients()) {
		d.nodes = append(d.nodes, d.newNode(i))
		d.oldest = append(d.oldest, -1)
	}
	if !d.counts() {
		return engine.NewBlockExecutor(t.Sinks, d), nil
	}
	phase := t.Stream("phase")
	d.first = config.Phase.First(t.Clients(), config.Interval, &phase)
	for i := range int32(t.Clients()) {
		d.Schedule(ticks.After(t.Origin-1, d.first[i], config.Interval), syncDue, i)
	}
	return engine.NewBlockExecutor(t.Sinks, d), nil
}

// counts reports whether the clients pull counts, by a timer of their own.
func (d *delayedSync) counts() bool { return d.config.Pull == delayedsync.Counts }

func (d *delayedSync) newNode(id int32) node {
	if d.counts() {
		return delayedsync.NewTally(&d.config, id)
	}
	return delayedsync.NewQuota(&d.config, id, func(now int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
		return d.ask(id, now, key, delta)
	})
}

func (d *delayedSync) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	if d.counts() {
		for i := lo; i < hi; i++ {
			id, now := a.Client[i], a.Time[i]
			tally := d.nodes[id].(*delayedsync.Tally)
			verdicts[i-lo] = tally.Decide(d.Clock(id, now), a.Key[i], a.Cost[i])
			if d.oldest[id] < 0 {
				d.oldest[id] = now
			}
			if at, ok := tally.SyncedAt(a.Key[i]); ok {
				d.age(id, at, now)
			}
		}
		return hi - lo
	}
	cut := d.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // an earlier arrival has started a timer
		}
		d.deciding = now
		quota := d.nodes[id].(*delayedsync.Quota)
		verdicts[i-lo] = quota.Decide(d.Clock(id, now), a.Key[i], a.Cost[i])
		if at, ok := quota.SyncedAt(a.Key[i]); ok {
			d.age(id, at, now)
		}
		if d.oldest[id] < 0 && quota.Waiting() {
			d.oldest[id] = now
		}
		if !d.syncing[id] && quota.Waiting() {
			d.syncing[id] = true
			d.Schedule(now+d.config.Interval, syncDue, id)
			cut = d.Next()
		}
	}
	return hi - lo
}

// age records the age of a view of the store that the client got at the time at.
func (d *delayedSync) age(id int32, at, now int64) {
	d.load.Staleness(now, max(d.Clock(id, now)-at, 0))
}

func (d *delayedSync) fire(e engine.Event) {
	switch e.Kind {
	case syncDue:
		d.sync(e.Time, e.Ref)
	case flushArrives:
		d.serve(e.Time, d.Receive(e.Ref))
	case syncAnswered:
		d.apply(e.Time, d.Receive(e.Ref))
	case syncFailed:
		d.fail(e.Time, d.Receive(e.Ref))
	}
}

// applyFaults fails the store over to its saved state, stops the clients that
// autoscaling removes, with all counts that they have not sent, and changes the
// limit.
func (d *delayedSync) applyFaults(c network.Change) {
	for range c.Failovers {
		d.store.Restore()
	}
	for id := c.Active; id < c.Before; id++ {
		d.starts[id]++
		d.nodes[id], d.oldest[id] = d.newNode(id), -1
	}
	if c.Limited {
		d.config.Limit = c.Limit
	}
	if c.Saves {
		d.store.Save()
	}
}

// sync sends a client's counts, unless its previous sync is still in flight.
func (d *delayedSync) sync(now int64, id int32) {
	number, message := d.New()
	message.start = d.starts[id]
	if d.counts() {
		d.Schedule(ticks.After(now, d.first[id], d.config.Interval), syncDue, id)
		if d.syncing[id] || id >= d.Active {
			d.Discard(number)
			return
		}
	}
	d.nodes[id].Flush(d.Clock(id, now), &message.flush)
	message.oldest, d.oldest[id] = d.oldest[id], -1
	if !d.counts() && len(message.flush.Rows) == 0 {
		d.syncing[id] = false
		d.Discard(number)
		return
	}
	d.syncing[id] = true
	if roundTrip, arrives := d.Send(now, flushArrives, id, network.Server, number); !arrives {
		d.Deliver(now+roundTrip, syncFailed, network.Delivery{Message: number, From: id, Sent: now})
	}
}

// Admits implements engine.Judge. A quota that is void calls the store for a new one.
func (d *delayedSync) Admits(key, client int32, now, cost int64) bool {
	d.deciding = now
	return d.nodes[client].Admits(d.Clock(client, now), key, cost)
}

// Inspect returns the level that the client can compute from its own state.
func (d *delayedSync) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	shown := d.Clock(client, now)
	level, retryAt = d.nodes[client].Level(shown, key)
	return level, max(retryAt+now-shown, now)
}
