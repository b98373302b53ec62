package readthenwrite_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// world is a small input with constant latencies, in ns.
type world struct {
	counter                                string
	limit, window, burst                   int64
	rtt, client, timeout                   int64
	increment, async, closed, rejected     bool
	each                                   bool
	lostAt                                 int64
	downFrom, downTo, lose, cutFrom, cutTo int64
	cutClient, clients                     int
	arrivals                               []simtest.Arrival
	end                                    int64
}

func drawWorld(t *rapid.T) *world {
	w := &world{
		counter: rapid.SampledFrom([]string{"fixed-window", "first-hit-window", "token-bucket"}).Draw(t, "counter"),
		limit:   rapid.Int64Range(1, 9).Draw(t, "limit"), window: rapid.Int64Range(15, 70).Draw(t, "window"), burst: rapid.Int64Range(2, 6).Draw(t, "burst"),
		rtt: rapid.Int64Range(0, 12).Draw(t, "rtt"), client: rapid.SampledFrom([]int64{0, 0, 1, 5, 11, 40}).Draw(t, "client"), timeout: rapid.SampledFrom([]int64{0, 5, 12, 30}).Draw(t, "timeout"),
		async: rapid.Bool().Draw(t, "async"), closed: rapid.Bool().Draw(t, "closed"), clients: rapid.IntRange(1, 3).Draw(t, "clients"),
	}
	if w.counter != "token-bucket" {
		w.increment, w.rejected = rapid.Bool().Draw(t, "increment"), rapid.Bool().Draw(t, "count rejected")
	}
	if w.counter == "first-hit-window" {
		w.each, w.lostAt = rapid.Bool().Draw(t, "each"), rapid.Int64Range(0, 3).Draw(t, "lost at")
	}
	at := int64(0)
	for range rapid.IntRange(1, 60).Draw(t, "arrivals") {
		at += rapid.SampledFrom([]int64{0, 0, 1, 1, 2, 3, 7, 30}).Draw(t, "gap")
		w.arrivals = append(w.arrivals, simtest.Arrival{At: at, Cost: rapid.Int64Range(1, 2).Draw(t, "cost"), Key: rapid.IntRange(0, 1).Draw(t, "key")})
	}
	w.end = (at/w.window + 2) * w.window
	if rapid.IntRange(0, 2).Draw(t, "down") == 0 {
		w.downFrom = rapid.Int64Range(1, at+1).Draw(t, "down from")
		w.downTo, w.lose = min(w.end, w.downFrom+rapid.Int64Range(1, 40).Draw(t, "down for")), rapid.Int64Range(0, 30).Draw(t, "lose")
	}
	if rapid.IntRange(0, 2).Draw(t, "cut") == 0 {
		w.cutFrom = rapid.Int64Range(1, at+1).Draw(t, "cut from")
		w.cutTo, w.cutClient = min(w.end, w.cutFrom+rapid.Int64Range(1, 40).Draw(t, "cut for")), rapid.IntRange(0, w.clients-1).Draw(t, "cut client")
	}
	return w
}

func (w *world) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: read-then-write, counter: %s, client_time: %dns, timeout: %dns, wait_for_write: %v", w.end, w.counter, w.client, w.timeout, !w.async)
	if w.timeout > 0 && w.closed {
		b.WriteString(", on_timeout: fail-closed")
	}
	if w.increment {
		b.WriteString(", write: increment")
	}
	if w.counter != "token-bucket" {
		fmt.Fprintf(&b, ", count_rejected: %v", w.rejected)
	}
	if w.each {
		b.WriteString(", expire: each-hit")
	}
	if w.lostAt > 0 {
		fmt.Fprintf(&b, ", expire_lost_at: %d", w.lostAt)
	}
	fmt.Fprintf(&b, "}\nscenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    topology: {clients: %d, network: %dns}\n", w.limit, w.window, w.burst, w.clients, w.rtt)
	b.WriteString("    algorithms: [tested]\n")
	if w.downTo+w.cutTo > 0 {
		b.WriteString("    faults:\n")
	}
	if w.downTo > 0 {
		fmt.Fprintf(&b, "      - store-down: {from: %dns, to: %dns, lose: %dns, expect_no_effect: true}\n", w.downFrom, w.downTo, w.lose)
	}
	if w.cutTo > 0 {
		fmt.Fprintf(&b, "      - partition: {from: %dns, to: %dns, clients: [%d], expect_no_effect: true}\n", w.cutFrom, w.cutTo, w.cutClient)
	}
	b.WriteString("    traffic:\n      - pattern: list\n        events:\n")
	for i, a := range w.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, cost: %d, key: k%d, client: %d}\n", a.At, a.Cost, a.Key, i%w.clients)
	}
	return b.String()
}

// entry is one write that has reached the store.
type entry struct {
	at, cost, value, readAt int64
	level                   *big.Rat // written to a bucket, and its time stamp
	stamp                   int64
	key                     int
}

// naive replays all writes for each read.
type naive struct {
	*world
	log     []entry
	events  []naiveEvent
	seq     int
	outcome []simtest.Outcome
}

type naiveEvent struct {
	at        int64
	kind, seq int
	do        func(now int64)
}

func (n *naive) schedule(at int64, kind int, do func(now int64)) {
	n.seq++
	n.events = append(n.events, naiveEvent{at, kind, n.seq, do})
}

// run runs the events before the end, all that are due before each arrival.
func (n *naive) run() {
	for i, a := range n.arrivals {
		n.until(a.At)
		n.ask(i, a.At)
	}
	n.until(n.end - 1)
}

func (n *naive) until(end int64) {
	for {
		first := -1
		for i, e := range n.events {
			if e.at <= end && (first < 0 || slices.Compare([]int64{e.at, int64(e.kind), int64(e.seq)},
				[]int64{n.events[first].at, int64(n.events[first].kind), int64(n.events[first].seq)}) < 0) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		e := n.events[first]
		n.events = slices.Delete(n.events, first, first+1)
		e.do(e.at)
	}
}

func (n *naive) cut(i int, now int64) bool {
	return i%n.clients == n.cutClient && n.cutFrom <= now && now < n.cutTo
}
func (n *naive) down(now int64) bool { return n.downFrom <= now && now < n.downTo }

func (n *naive) settle(i int, now int64, verdict, cause string) {
	if verdict == "admitted" {
		n.outcome[i] = simtest.Admitted(now, cause)
	} else {
		n.outcome[i] = simtest.Rejected(now, cause)
	}
}

// Kinds of events, in the order of an instant.
const (
	wrote = iota
	read
	answered
	sends
	done
	fails
)

// call sends a call at now. arrives runs at the store and reports whether it is up,
// back when the client has the response, late if it has none by the timeout.
func (n *naive) call(i int, now int64, kind, after int, arrives func(int64) bool, back, late func(int64)) {
	gone := func() {
		if n.timeout > 0 {
			n.schedule(now+n.timeout, fails, late)
		}
	}
	there := n.rtt / 2
	tooLate := n.timeout > 0 && n.rtt > n.timeout
	if n.cut(i, now) {
		gone()
		return
	}
	if tooLate {
		gone()
	}
	n.schedule(now+there, kind, func(at int64) {
		up := !n.down(at) && arrives(at)
		switch {
		case tooLate:
		case !up || n.cut(i, at):
			gone()
		default:
			n.schedule(now+n.rtt, after, back)
		}
	})
}

func (n *naive) ask(i int, now int64) {
	a := n.arrivals[i]
	var got entry
	n.call(i, now, read, answered, func(at int64) bool {
		got = n.value(a.Key, at)
		got.readAt = at
		return true
	}, func(at int64) {
		admitted := n.decide(&got, at, a.Cost)
		verdict := map[bool]string{true: "admitted", false: "rejected"}[admitted]
		got.cost, got.key = a.Cost, a.Key
		if !admitted && !n.rejected || n.async {
			n.settle(i, at, verdict, "limiter")
		}
		if !admitted && !n.rejected {
			return
		}
		end := func(at int64) {
			if !n.async {
				n.settle(i, at, verdict, "limiter")
			}
		}
		n.schedule(at+n.client, sends, func(at int64) {
			n.call(i, at, wrote, done, func(at int64) bool {
				got.at = at
				n.log = append(n.log, got)
				return true
			}, end, end)
		})
	}, func(at int64) {
		if n.closed {
			n.settle(i, at, "rejected", "fail-closed")
		} else {
			n.settle(i, at, "admitted", "fail-open")
		}
	})
}

// value returns what the store holds of a key at now, from all writes that no
// failover has lost.
func (n *naive) value(key int, now int64) entry {
	v := entry{level: rat(n.burst), stamp: -1}
	open, end, windows := false, int64(0), int64(0)
	for _, e := range n.log {
		if lost := n.downTo > 0 && now >= n.downFrom && e.at >= n.downFrom-n.lose && e.at < n.downFrom; lost || e.key != key {
			continue
		}
		switch n.counter {
		case "token-bucket":
			v.level, v.stamp = e.level, e.stamp
			continue
		case "fixed-window":
			if e.at/n.window != now/n.window || e.readAt/n.window != e.at/n.window {
				continue
			}
		default:
			if !open || e.at >= end {
				open, end, v.value = true, e.at+n.window, 0
				if windows++; windows == n.lostAt {
					end = 1 << 62
				}
			} else if n.each {
				end = max(end, e.at+n.window)
			}
		}
		if n.increment {
			v.value += e.cost
		} else {
			v.value = e.value
		}
	}
	if n.counter == "first-hit-window" && (!open || now >= end) {
		v.value = 0
	}
	return v
}

// decide decides at the client, and changes what it has read to what it would set.
func (n *naive) decide(v *entry, now, cost int64) bool {
	if n.counter != "token-bucket" {
		v.value += cost
		return v.value <= n.limit
	}
	level := new(big.Rat).Set(v.level)
	if v.stamp >= 0 {
		level.Add(level, new(big.Rat).Mul(big.NewRat(n.limit, n.window), rat(max(now-v.stamp, 0))))
	}
	if level.Cmp(rat(n.burst)) > 0 {
		level = rat(n.burst)
	}
	v.stamp = max(v.stamp, now)
	v.level = level.Sub(level, rat(cost))
	return level.Sign() >= 0
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// TestAgainstReferenceModel compares the simulation with a model that keeps every
// write and computes each read from all of them.
func TestAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		n := &naive{world: w, outcome: make([]simtest.Outcome, len(w.arrivals))}
		for i := range n.outcome {
			n.outcome[i] = simtest.Waiting
		}
		n.run()
		got := simtest.Outcomes(t, w.yaml(), "tested")
		for i := range got {
			if got[i] != n.outcome[i] {
				t.Fatalf("attempt %d at %d: %+v, the reference model says %+v\n%s", i, w.arrivals[i].At, got[i], n.outcome[i], w.yaml())
			}
		}
	})
}
