package faults

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

// seeds is the number of replications that the tests compare. What is drawn is the
// same in all of them with a probability below 2^-15.
const seeds = 16

// usual is the latency of the worlds below. It does not vary.
var usual, _ = random.NewLatency("constant", 0, 0, 1000)

// shows returns all that a fault changes from its beginning, at 10 s, in the
// replication with a seed.
func shows(t failer, w World, seed uint64, list ...scenarios.Fault) string {
	w.Stream = func(name string) random.Stream { return random.New(seed, 0, name) }
	timeline := compile(t, w, list...)
	messages := random.New(seed, 0, "messages")
	text := ""
	for now := 10 * s; now < 12*s; now += s {
		for range 40 {
			latency := timeline.Latency(now, usual)
			text += fmt.Sprintln(timeline.Message(now, &messages, true), latency.Draw(&messages))
		}
		for client := range int32(w.Clients) {
			text += fmt.Sprintln(timeline.Cut(now, client), timeline.Clock(client, now), timeline.View(now, client))
		}
		for server := range int32(w.Servers + 1) {
			member, _ := timeline.Member(now, server)
			text += fmt.Sprintln(timeline.ServerDown(now, server), member && int(server) < w.Servers+scenarios.AddedServers(list))
		}
		num, den := timeline.LimitScale(now)
		active := timeline.Active(now)
		if active == 0 {
			active = w.Clients
		}
		text += fmt.Sprintln(num/den, timeline.Slow(now, 7), timeline.RoundTrip(now, TheStore, 7), timeline.RoundTrip(now, Servers, 7), len(losses(timeline, now)), active)
	}
	return text + moves(timeline, w)
}

// moves returns where 40 keys are after a reshard, and which clients know.
func moves(timeline *Timeline, w World) (text string) {
	const keys = 40
	o := NewOwners(timeline, make([]int32, keys), w.Servers)
	o.Advance(11*s, func(int32, int32) {})
	for key := range int32(keys) {
		for client := range int32(w.Clients) {
			text += fmt.Sprint(o.Asked(11*s, client, key), o.Asked(16*s, client, key)) // while clients are stale, and after
		}
	}
	return text
}

// drawFault draws a fault of a random kind, often at the bounds of its fields.
func drawFault(t *rapid.T, w World) scenarios.Fault {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	share := func(name string) string { return pick(name, "0", "50%", "70%", "1") }
	pairs := func(pairs ...string) []string { return append([]string{"from", "10s"}, pairs...) }
	stale := func(pairs ...string) []string {
		pairs = append(pairs, "from", "10s", "stale_for", pick("stale for", "0s", "5s"))
		if rapid.Bool().Draw(t, "named") {
			return append(pairs, "stale_clients", "[0]")
		}
		return append(pairs, "stale_share", share("stale share"))
	}
	whose := func(pairs ...string) []string {
		if rapid.Bool().Draw(t, "named") {
			return append(pairs, "clients", "[0]")
		}
		return append(pairs, "share", share("share"))
	}
	late := func() []string {
		return pairs("to", "20s", "factor", pick("factor", "1", "2"), "add", pick("add", "0s", "1ms"))
	}
	switch kind := pick("kind", "report-loss", "report-delay", "report-duplicate", "report-reorder", "partition", "clock", "network", "reshard", "server-added", "server-removed",
		"server-restart", "slow-server", "policy-change", "store-latency", "server-latency", "autoscale"); kind {
	case "report-loss", "report-duplicate":
		return fault(t, kind, pairs("p", share("p"))...)
	case "report-delay", "report-reorder":
		return fault(t, kind, pairs("p", share("p"), "delay", "1ms")...)
	case "partition":
		return fault(t, kind, whose(pairs("to", "20s")...)...)
	case "clock":
		return fault(t, kind, whose(pairs("ahead", "1s")...)...)
	case "network":
		return fault(t, kind, pairs("latency", pick("latency", "5ms", "{exponential: {p99: 5ms}}"))...)
	case "reshard":
		return fault(t, kind, stale("share", share("share"))...)
	case "server-added":
		return fault(t, kind, stale()...)
	case "server-removed":
		return fault(t, kind, stale("server", "0")...)
	case "server-restart":
		return fault(t, kind, pairs("state", pick("state", "kept", "lost"), "down_for", pick("down for", "0s", "5s"))...)
	case "slow-server":
		return fault(t, kind, pairs("to", "20s", "factor", pick("factor", "1", "2"))...)
	case "policy-change":
		return fault(t, kind, pairs("factor", pick("factor", "1", "100%", "2", "10"))...)
	case "autoscale":
		return fault(t, kind, "stages", fmt.Sprintf("[{from: 10s, clients: %s}, {from: 11s, clients: %d}]", pick("active", "1", fmt.Sprint(w.Clients)), w.Clients))
	default:
		return fault(t, kind, late()...)
	}
}

func drawWorld(t *rapid.T) World {
	return world(rapid.IntRange(1, 9).Draw(t, "clients"), rapid.IntRange(1, 3).Draw(t, "servers"))
}

// TestDrawsWhereSeedsDiffer checks that a fault is said to draw random numbers exactly
// where it changes different things with different seeds.
func TestDrawsWhereSeedsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for range 10 {
			f := drawFault(t, w)
			first, differ := shows(t, w, 1, f), false
			for seed := uint64(2); seed <= seeds && !differ; seed++ {
				differ = shows(t, w, seed, f) != first
			}
			if got := Draws(&f, w); got != differ {
				t.Fatalf("%s %v with %d clients and %d servers: draws is %v, and seeds differ is %v", f.Kind, f.Values, w.Clients, w.Servers, got, differ)
			}
		}
	})
}

// TestNoEffectWhereNothingChanges checks that a fault is said to have no effect exactly
// where it changes nothing.
func TestNoEffectWhereNothingChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		without := shows(t, w, 1)
		for range 10 {
			f := drawFault(t, w)
			changes := false
			for seed := uint64(1); seed <= seeds && !changes; seed++ {
				changes = shows(t, w, seed, f) != without
			}
			if why := NoEffect(&f, w); (why == "") != changes {
				t.Fatalf("%s %v with %d clients and %d servers: %q, and changes is %v", f.Kind, f.Values, w.Clients, w.Servers, why, changes)
			}
		}
	})
}
