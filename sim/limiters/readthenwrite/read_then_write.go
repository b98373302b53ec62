// Package readthenwrite simulates clients that read a counter from a central store,
// decide, and write it back in a second call.
//
// The package makes no promise: it can change at any time.
package readthenwrite

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/readthenwrite"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that read, decide and write.
var Limiter = engine.Limiter{
	Entry:      readthenwrite.Entry(),
	Presets:    readthenwrite.Presets(),
	Check:      check,
	Executor:   newReadThenWrite,
	Random:     draws,
	Servers:    network.OneServer,
	AffectedBy: []string{"network", "partition", "store-down", "store-latency", "policy-change"},
	OnePolicy:  "the recipes read and write one key for each request, and do not say in which order they would read several",
	Sidecar:    true,
	Predict:    predict,
}

// readThenWrite runs the calls between the clients and the store.
type readThenWrite struct {
	config     readthenwrite.Config
	store      *readthenwrite.Store
	executor   *engine.EventExecutor
	network    network.Hop
	clientTime engine.ServiceTime
	timeline   *faults.Timeline
	changes    network.Changes
	load       *measure.Load
	exchanges  engine.Pool[exchange]
}

// exchange is a request between its arrival and its last call. Its number is its
// place in the store.
type exchange struct {
	cost    int64
	sent    int64 // when the call in flight was sent
	back    int64 // ns from the store to the client
	slot    int32 // of the attempt, or noSlot once that has ended
	client  int32
	key     int32
	verdict counting.Verdict // the request's, if the call in flight gets no response
}

// noSlot refers to no attempt.
const noSlot = int32(-1)

// Event kinds, in the order in which they run when they share a timestamp. Ref is an
// exchange.
const (
	writeArrives uint32 = iota
	readArrives
	readAnswered
	clientWrites
	writeAnswered
	callFails // its timeout is over
)

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	one := func(limit counting.Limit) error {
		_, err := readthenwrite.ConfigFrom(a.Options, limit, a.Counter)
		return err
	}
	return cmp.Or(one(s.Limit), s.CheckLimits(one))
}

func draws(s *engine.Setting, a *scenarios.Algorithm) bool {
	return a.Options.Choice("client_time").Name == "exponential" || network.DrawsLatency(s, a)
}

func newReadThenWrite(t *engine.Trial) (engine.Executor, error) {
	r := &readThenWrite{
		config:   engine.Must(readthenwrite.ConfigFrom(t.Algorithm.Options, t.Limit, t.Algorithm.Counter)),
		network:  network.NewHop(t, faults.TheStore, t.Latency(), "network"),
		timeline: t.Faults,
		changes:  network.NewChanges(t, 0),
		load:     t.Load(),
		executor: engine.NewEventExecutor(t.Sinks, t.Start),
	}
	r.clientTime = engine.ServiceOf(r.config.ClientTime, t.Stream("client time"))
	r.store = readthenwrite.NewStore(&r.config, t.Limit, t.Keys, network.StoreLosses(t))
	r.changes.Apply = func(c network.Change) {
		if c.Limited {
			r.store.Relimit(c.Limit, c.At)
		}
	}
	r.executor.Run(r)
	return r.executor, nil
}

func (r *readThenWrite) Arrive(now int64, slot int32) {
	r.changes.Follow(now)
	a := r.executor.Attempt(slot)
	r.executor.Asks(slot)
	ref := r.exchanges.Add(exchange{cost: a.Cost, slot: slot, client: a.Client, key: a.Key, verdict: counting.Unanswered(!r.config.FailClosed)})
	r.send(now, ref, readArrives)
}

func (r *readThenWrite) Fire(e engine.Event) {
	r.changes.Follow(e.Time)
	handlers[e.Kind](r, e.Time, e.Ref)
}

// handlers holds what runs at each kind of event.
var handlers = [...]func(r *readThenWrite, now int64, ref int32){
	writeArrives:  (*readThenWrite).write,
	readArrives:   (*readThenWrite).read,
	readAnswered:  (*readThenWrite).decide,
	clientWrites:  func(r *readThenWrite, now int64, ref int32) { r.send(now, ref, writeArrives) },
	writeAnswered: (*readThenWrite).end,
	callFails:     (*readThenWrite).fail,
}

// send sends a call, which arrives as an event of that kind. If its response would
// be late, the caller stops waiting; a write arrives all the same.
func (r *readThenWrite) send(now int64, ref int32, kind uint32) {
	x := r.exchanges.At(ref)
	x.sent = now
	there, back := r.network.RoundTrip(now)
	x.back = back
	switch {
	case r.timeline.Cut(now, x.client):
		r.wait(ref)
		return
	case r.config.Timeout == 0 || there+back <= r.config.Timeout || x.slot == noSlot:
	case kind == readArrives:
		r.wait(ref)
		return
	default:
		caller := *x
		x.slot = noSlot
		r.wait(r.exchanges.Add(caller))
	}
	r.executor.Schedule(now+there, kind, ref)
}

// wait lets a caller wait in vain until its timeout.
func (r *readThenWrite) wait(ref int32) {
	switch x := r.exchanges.At(ref); {
	case x.slot == noSlot:
		r.exchanges.Release(ref)
	case r.config.Timeout > 0:
		r.executor.Schedule(x.sent+r.config.Timeout, callFails, ref)
	}
}

// fail ends the wait of a caller at its timeout.
func (r *readThenWrite) fail(now int64, ref int32) {
	r.executor.TimedOut(r.exchanges.At(ref).slot)
	r.end(now, ref)
}

// end ends a request and its exchange.
func (r *readThenWrite) end(_ int64, ref int32) {
	x := r.exchanges.At(ref)
	r.executor.Settle(x.slot, x.verdict)
	r.exchanges.Release(ref)
}

// reaches reports whether a call that arrives at the store is served, and counts it.
func (r *readThenWrite) reaches(now int64) bool {
	if r.timeline.StoreFails(now) {
		return false
	}
	r.load.Call(now, 0, 1)
	r.load.StoreOp(now, 1)
	return true
}

// respond sends the store's response to a call, which arrives as an event of that
// kind.
func (r *readThenWrite) respond(now int64, ref int32, kind uint32) {
	x := r.exchanges.At(ref)
	if x.slot == noSlot || r.timeline.Cut(now, x.client) {
		r.wait(ref)
		return
	}
	r.executor.Schedule(now+x.back, kind, ref)
}

func (r *readThenWrite) read(now int64, ref int32) {
	if !r.reaches(now) {
		r.wait(ref)
		return
	}
	r.store.Read(ref, r.exchanges.At(ref).key, now)
	r.respond(now, ref, readAnswered)
}

// decide runs when a client has the response to its read.
func (r *readThenWrite) decide(now int64, ref int32) {
	x := r.exchanges.At(ref)
	v, writes := r.store.Decide(ref, now, x.cost)
	x.verdict = v
	if !writes {
		r.end(now, ref)
		return
	}
	if !r.config.Wait {
		r.executor.Settle(x.slot, v)
		x.slot = noSlot
	}
	r.executor.Schedule(now+r.clientTime.Draw(), clientWrites, ref)
}

func (r *readThenWrite) write(now int64, ref int32) {
	if !r.reaches(now) {
		r.wait(ref)
		return
	}
	x := r.exchanges.At(ref)
	r.timeline.Written(now)
	r.store.Write(ref, x.key, now, x.cost)
	r.respond(now, ref, writeAnswered)
}

// Inspect returns the state at the store, which clients do not know.
func (r *readThenWrite) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return r.store.Level(key, now), r.store.RetryAt(key, now, cost)
}
