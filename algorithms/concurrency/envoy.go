package concurrency

import "math"

// Gradient describes the law of Envoy's adaptive concurrency filter. Its defaults are in
// brackets.
type Gradient struct {
	Range            // [3, Probe, 1000]
	Probe    int64   // largest limit in a probe [3]
	Requests int64   // answers that end a probe, 1 at least [50]
	Update   int64   // ns between updates of the limit [100 ms]
	Interval int64   // ns from the end of a probe to the next, 1 ms at least [60 s]
	Jitter   float64 // part of Interval by which it is longer at most [0.15]
	Buffer   float64 // part by which an answer may be slower than in the probe [0.25]
}

// Envoy moves the limit by the median time of the answers between two updates, relative to
// the median in the last probe, in which the limit was low. It does not look at drops.
// Source: gradient_controller.cc of envoyproxy/envoy, on one thread.
type Envoy struct {
	Gradient
	random  Random
	limit   int64 // outside of probes
	probing bool
	epoch   int64 // start of the last probe, ns; requests sent before it are ignored
	lowest  int64 // updates in a row that left the limit at its minimum
	times   times
	least   float64 // median of the last probe, ns

	nextUpdate, nextProbe int64 // ns, math.MaxInt64 while a probe runs
}

// lowestUpdates is how many updates in a row at the minimum start a probe.
const lowestUpdates = 5

// NewEnvoy returns the law at start, in ns. It begins with a probe.
func NewEnvoy(g Gradient, start int64, random Random) *Envoy {
	e := &Envoy{Gradient: g, random: random, limit: g.Initial}
	e.probe(start)
	return e
}

// Limit implements Law.
func (e *Envoy) Limit() int64 {
	if e.probing {
		return min(e.limit, e.Probe)
	}
	return e.limit
}

// Probing implements Timed.
func (e *Envoy) Probing() bool { return e.probing }

// Next implements Timed.
func (e *Envoy) Next() int64 { return min(e.nextUpdate, e.nextProbe) }

// Answer implements Law.
func (e *Envoy) Answer(s Sample) {
	if s.Sent < e.epoch {
		return
	}
	e.times.add(s.RTT / 1000)
	if !e.probing || e.times.count < e.Requests {
		return
	}
	now := s.Sent + s.RTT
	e.least = e.median()
	e.probing = false
	e.nextUpdate, e.nextProbe = now+e.Update, now+e.Interval+e.jitter()
}

// Act implements Timed. A probe that is due replaces an update at the same time.
func (e *Envoy) Act(now int64) {
	if now >= e.nextProbe {
		e.probe(now)
		return
	}
	if now < e.nextUpdate {
		return
	}
	e.nextUpdate = now + e.Update
	if e.times.count == 0 {
		return
	}
	before := e.limit
	if e.update(); e.limit != e.Min || before != e.Min {
		e.lowest = 0
	} else if e.lowest++; e.lowest == lowestUpdates {
		e.probe(now)
	}
}

// probe starts a probe.
func (e *Envoy) probe(now int64) {
	e.times.reset()
	e.probing, e.epoch, e.lowest = true, now, 0
	e.nextUpdate, e.nextProbe = math.MaxInt64, math.MaxInt64
}

// update moves the limit by the answers since the last update.
func (e *Envoy) update() {
	gradient := 2.0
	if median := e.median(); median > 0 {
		allowed := e.least + float64(e.least*e.Buffer)
		gradient = max(0.5, min(2, float64(allowed/median)))
	}
	n := float64(float64(e.limit) * gradient)
	e.limit = max(e.Min, min(e.Max, int64(n+math.Sqrt(n))))
}

// median returns the median of the times in ns, and forgets them.
func (e *Envoy) median() float64 {
	defer e.times.reset()
	return float64(e.times.median() * 1000)
}

// jitter returns by how many whole ms the next interval is longer, in ns.
func (e *Envoy) jitter() int64 {
	if e.Jitter == 0 {
		return 0
	}
	ms := math.Ceil(float64(e.Interval/1e6) * e.Jitter)
	return int64(e.random.Uint64()%uint64(ms)) * 1e6
}
