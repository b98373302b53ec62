package leases

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// leaseWire is the way between clients and the servers that own keys, for
// limiters whose servers hand something out: which server a key's messages go
// to, how long they take, and what befalls them and the servers' memory.
type leaseWire struct {
	timeline     *faults.Timeline
	network      random.Latency
	draws        random.Stream // latencies
	outcomeDraws random.Stream
	servers      int
	owners       *faults.Owners // nil unless keys move

	setting  *engine.Setting
	restart  func(now int64, server int32)        // its memory is empty from now on
	forget   func(key int32)                      // moves to a server that knows nothing of it
	relimit  func(now int64, limit counter.Limit) // the policy has changed
	forsaken func(client int32)                   // it has been stopped, with all that it knew
	limit    counter.Limit
	active   int   // clients
	last     int64 // the latest instant that was looked at
	next     int64 // the next one to look at
}

func newLeaseWire(t *engine.Trial) (leaseWire, error) {
	network, err := t.Latency()
	w := leaseWire{
		timeline: t.Faults, network: network, draws: t.Stream("network"), outcomeDraws: t.Stream("reports"),
		servers: t.Servers(), setting: t.Setting, limit: t.Limit, active: t.Clients(), last: t.Origin - 1, next: engine.Never,
	}
	if w.timeline != nil {
		w.next = t.Origin
	}
	if w.timeline.Moves() {
		home := make([]int32, t.Keys)
		for key := range home {
			home[key] = routing.Owner(int32(key), w.servers)
		}
		w.owners = faults.NewOwners(w.timeline, home, w.servers)
	}
	return w, err
}

// wireFaults are the kinds of faults that befall what goes over a leaseWire.
var wireFaults = []string{"network", "partition", "server-restart", "server-crash", "reshard", "autoscale", "policy-change"}

// messageFaults are those and the ones of messages in the background.
var messageFaults = append([]string{"report-loss", "report-delay", "report-duplicate", "report-reorder"}, wireFaults...)

// checkChanges refuses a policy that faults change into one that check refuses.
func checkChanges(s *engine.Setting, check func(counter.Limit) error) error {
	for _, c := range s.Changes(s.Limit, engine.Whole) {
		if err := check(c.Limit); err != nil {
			return fmt.Errorf("with a limit of %d per %d ns: %w", c.Limit.Count, c.Limit.Window, err)
		}
	}
	return nil
}

// follow makes what has befallen the servers up to now.
func (w *leaseWire) follow(now int64) {
	for w.next <= now {
		at := w.next
		for _, l := range w.timeline.Lost(w.last, at) {
			if l.Server != faults.Store && int(l.Server) < w.servers {
				w.restart(l.At, l.Server)
			}
		}
		if w.owners != nil {
			w.owners.Advance(at, func(key, _ int32) { w.forget(key) })
		}
		if l := w.setting.LimitAt(w.setting.Limit, at); l != w.limit && w.relimit != nil {
			w.limit = l
			w.relimit(at, l)
		}
		active := w.setting.ClientsAt(at)
		for id := active; id < w.active; id++ {
			w.forsaken(int32(id))
		}
		w.active = active
		w.last, w.next = at, w.timeline.Next(at)
	}
}

// asked is the server that clients take for a key's owner.
func (w *leaseWire) asked(now int64, key int32) int32 {
	if w.owners != nil {
		return w.owners.Asked(now, key)
	}
	return routing.Owner(key, w.servers)
}

// owns reports whether a key is in a server's memory.
func (w *leaseWire) owns(server, key int32) bool {
	if w.owners != nil {
		return w.owners.Owner(key) == server
	}
	return routing.Owner(key, w.servers) == server
}

// answers reports whether a server that a message about a key reaches at now
// does anything with it.
func (w *leaseWire) answers(now int64, key, server int32) bool {
	return !w.timeline.ServerDown(now, server) && (w.owners == nil || w.owners.Takes(now, key, server))
}

// backAt is when a server answers that goes down at an instant, if it does.
func (w *leaseWire) backAt(at int64, server int32) int64 {
	for at < engine.Never && w.timeline.ServerDown(at, server) {
		at = w.timeline.Next(at)
	}
	return at
}

// trip is one call's latency, split evenly over both ways.
func (w *leaseWire) trip(now int64) (there, back int64) {
	distribution := w.network
	if other, changed := w.timeline.Latency(now); changed {
		distribution = other
	}
	latency := distribution.Draw(&w.draws)
	return latency / 2, latency - latency/2
}

// fate is what befalls a message to or from a client that is sent at now.
func (w *leaseWire) outcome(now int64, client int32) faults.Outcome {
	f := w.timeline.Report(now, &w.outcomeDraws)
	f.Lost = f.Lost || w.timeline.Cut(now, client)
	return f
}
