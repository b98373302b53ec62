// Package delayedsync simulates clients that count by themselves and sync with a
// store at intervals.
package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
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
	Entry:      delayedsync.Entry(),
	Presets:    delayedsync.Presets(),
	Check:      checkDelayed,
	Executor:   newDelayedSync,
	Random:     delayedDraws,
	Servers:    oneStore,
	AffectedBy: []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock", "store-down", "autoscale", "policy-change"},
}

// What happens at one instant, in this order, after the world has changed.
const (
	syncDue uint32 = iota + 1 // a client sends its counts
	flushArrives
	syncAnswered
	syncFailed
)

// delayedSync runs the clients and the store: it owns the wire between them and
// the instants at which clients sync.
type delayedSync struct {
	*network.Messages[syncMessage]
	config   delayedsync.Config
	store    *delayedsync.Store
	quotas   []*delayedsync.Quota // pull: remaining
	tallies  []*delayedsync.Tally // pull: counts
	first    []int64              // tallies: each client's first tick
	syncing  []bool               // a client's sync is under way; quotas: or its timer runs
	arrived  []network.Delivery   // flushes that arrive at this instant
	inFlight int64                // the instant of the request being decided
	lives    []int32              // how often each client was started
	load     *measure.Load
	world    network.PeerGroup
}

// syncMessage is a flush, and the answer to it.
type syncMessage struct {
	flush  delayedsync.Flush
	answer delayedsync.Answer
	life   int32 // of the client that sent it
}

func oneStore(*engine.Setting, *scenarios.Algorithm) int { return 1 }

func delayedConfig(s *engine.Setting, a *scenarios.Algorithm) (delayedsync.Config, error) {
	return delayedsync.ConfigFrom(a.Options, s.Limit, a.Counter)
}

func checkDelayed(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := delayedConfig(s, a)
	if err == nil {
		_, err = s.Latency()
	}
	return err
}

func delayedDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config, err := delayedConfig(s, a)
	return err == nil && config.Pull == delayedsync.Counts && config.Phase.Draws() || network.DrawsLatency(s)
}

func newDelayedSync(t *engine.Trial) (engine.Executor, error) {
	config, err := delayedConfig(t.Setting, t.Algorithm)
	if err != nil {
		return nil, err
	}
	w, err := network.NewMessages[syncMessage](t)
	if err != nil {
		return nil, err
	}
	d := &delayedSync{Messages: w, config: config, load: t.Recorder.Load(), world: network.NewPeerGroup(t), lives: make([]int32, t.Clients())}
	d.store = delayedsync.NewStore(&d.config)
	d.syncing = make([]bool, t.Clients())
	if config.Pull == delayedsync.Remaining {
		for i := range int32(t.Clients()) {
			d.quotas = append(d.quotas, d.newQuota(i))
		}
		return engine.NewBlockExecutor(t.Sinks, d), nil
	}
	phase := t.Stream("phase")
	d.first = config.Phase.First(t.Clients(), config.Interval, &phase)
	for i := range int32(t.Clients()) {
		d.tallies = append(d.tallies, delayedsync.NewTally(&d.config, i))
		d.Schedule(ticks.After(t.Origin-1, d.first[i], config.Interval), syncDue, i)
	}
	return engine.NewBlockExecutor(t.Sinks, d), nil
}

func (d *delayedSync) newQuota(id int32) *delayedsync.Quota {
	return delayedsync.NewQuota(&d.config, id, func(now int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
		return d.ask(id, now, key, delta)
	})
}

func (d *delayedSync) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	if d.tallies != nil {
		for i := lo; i < hi; i++ {
			id, now := a.Client[i], a.Time[i]
			tally := d.tallies[id]
			verdicts[i-lo] = tally.Decide(d.Clock(id, now), a.Key[i], a.Cost[i])
			d.age(id, a.Key[i], now)
		}
		return hi - lo
	}
	cut := d.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // a timer that an earlier one of these started
		}
		d.inFlight = now
		quota := d.quotas[id]
		verdicts[i-lo] = quota.Decide(d.Clock(id, now), a.Key[i], a.Cost[i])
		d.age(id, a.Key[i], now)
		if !d.syncing[id] && quota.Waiting() {
			d.syncing[id] = true
			d.Schedule(now+d.config.Interval, syncDue, id)
			cut = d.Next()
		}
	}
	return hi - lo
}

// age measures how old what a client knew of the store was.
func (d *delayedSync) age(id, key int32, now int64) {
	var at int64
	var ok bool
	if d.tallies != nil {
		at, ok = d.tallies[id].SyncedAt(key)
	} else {
		at, ok = d.quotas[id].SyncedAt(key)
	}
	if ok {
		d.load.Staleness(now, max(d.Clock(id, now)-at, 0))
	}
}

func (d *delayedSync) Step(now int64) {
	for _, ok := d.Due(now, network.FaultsChange); ok; _, ok = d.Due(now, network.FaultsChange) {
		d.world.Apply(now, d)
		if d.Faults.Saves(now) {
			d.store.Save()
		}
		d.Follow(now)
	}
	for id, ok := d.Due(now, syncDue); ok; id, ok = d.Due(now, syncDue) {
		d.sync(now, id)
	}
	d.arrived = d.arrived[:0]
	for ref, ok := d.Due(now, flushArrives); ok; ref, ok = d.Due(now, flushArrives) {
		d.arrived = append(d.arrived, d.Open(ref))
	}
	for _, p := range d.arrived {
		d.serve(now, p)
	}
	for ref, ok := d.Due(now, syncAnswered); ok; ref, ok = d.Due(now, syncAnswered) {
		d.apply(now, d.Open(ref))
	}
	for ref, ok := d.Due(now, syncFailed); ok; ref, ok = d.Due(now, syncFailed) {
		d.fail(now, d.Open(ref))
	}
}

// lose takes the store back to what it had saved, where it fails over.
func (d *delayedSync) Lose(r faults.Restart) {
	if r.Server == faults.Store {
		d.store.Restore()
	}
}

// scale stops clients, with all that they knew and had not brought to the store.
func (d *delayedSync) Scale(_ int64, alive, was int32) {
	for id := alive; id < was; id++ {
		d.lives[id]++
		if d.tallies != nil {
			d.tallies[id] = delayedsync.NewTally(&d.config, id)
		} else {
			d.quotas[id] = d.newQuota(id)
		}
	}
}

func (d *delayedSync) Relimit(_ int64, limit counter.Limit) { d.config.Limit = limit }

// sync sends a client's counts. One whose last sync is still under way leaves
// this one out.
func (d *delayedSync) sync(now int64, id int32) {
	number, message := d.Blank()
	message.life = d.lives[id]
	shown := d.Clock(id, now)
	if d.tallies != nil {
		d.Schedule(ticks.After(now, d.first[id], d.config.Interval), syncDue, id)
		if d.syncing[id] || id >= d.world.Alive {
			d.Discard(number)
			return
		}
		d.tallies[id].Flush(shown, &message.flush)
	} else if d.quotas[id].Flush(shown, &message.flush); len(message.flush.Rows) == 0 {
		d.syncing[id] = false
		d.Discard(number)
		return
	}
	d.syncing[id] = true
	if call, arrives := d.Send(now, flushArrives, id, network.Server, number); !arrives {
		d.Post(now+call, syncFailed, network.Delivery{Message: number, From: id, Sent: now})
	}
}

// Inspect looks at what the client knows.
func (d *delayedSync) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	shown := d.Clock(client, now)
	if d.tallies != nil {
		return d.tallies[client].Level(shown, key), now
	}
	level, retryAt = d.quotas[client].Level(shown, key)
	return level, max(retryAt+now-shown, now)
}
