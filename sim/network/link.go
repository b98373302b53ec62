package network

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Link is the way between clients and the servers that own keys, for
// limiters whose servers hand something out: which server a key's messages go
// to, how long they take, and what befalls them and the servers' memory.
type Link struct {
	Faults       *faults.Timeline
	network      random.Latency
	draws        random.Stream // latencies
	outcomeDraws random.Stream
	Servers      int
	owners       *faults.Owners // nil unless keys move

	setting  *engine.Setting
	Restart  func(now int64, server int32)        // its memory is empty from now on
	Forget   func(key int32)                      // moves to a server that knows nothing of it
	Relimit  func(now int64, limit counter.Limit) // the policy has changed
	Forsaken func(client int32)                   // it has been stopped, with all that it knew
	limit    counter.Limit
	active   int   // clients
	last     int64 // the latest instant that was looked at
	next     int64 // the next one to look at
}

func NewLink(t *engine.Trial) (Link, error) {
	network, err := t.Latency()
	w := Link{
		Faults: t.Faults, network: network, draws: t.Stream("network"), outcomeDraws: t.Stream("reports"),
		Servers: t.Servers(), setting: t.Setting, limit: t.Limit, active: t.Clients(), last: t.Origin - 1, next: engine.Never,
	}
	if w.Faults != nil {
		w.next = t.Origin
	}
	if w.Faults.Moves() {
		home := make([]int32, t.Keys)
		for key := range home {
			home[key] = routing.Owner(int32(key), w.Servers)
		}
		w.owners = faults.NewOwners(w.Faults, home, w.Servers)
	}
	return w, err
}

// CallFaults are the kinds of faults that befall what goes over a Link.
var CallFaults = []string{"network", "partition", "server-restart", "server-crash", "reshard", "autoscale", "policy-change"}

// MessageFaults are those and the ones of messages in the background.
var MessageFaults = append([]string{"report-loss", "report-delay", "report-duplicate", "report-reorder"}, CallFaults...)

// CheckChanges refuses a policy that faults change into one that check refuses.
func CheckChanges(s *engine.Setting, check func(counter.Limit) error) error {
	for _, c := range s.Changes(s.Limit, engine.Whole) {
		if err := check(c.Limit); err != nil {
			return fmt.Errorf("with a limit of %d per %d ns: %w", c.Limit.Count, c.Limit.Window, err)
		}
	}
	return nil
}

// Follow makes what has befallen the servers up to now.
func (w *Link) Follow(now int64) {
	for w.next <= now {
		at := w.next
		for _, l := range w.Faults.Lost(w.last, at) {
			if l.Server != faults.Store && int(l.Server) < w.Servers {
				w.Restart(l.At, l.Server)
			}
		}
		if w.owners != nil {
			w.owners.Advance(at, func(key, _ int32) { w.Forget(key) })
		}
		if l := w.setting.LimitAt(w.setting.Limit, at); l != w.limit && w.Relimit != nil {
			w.limit = l
			w.Relimit(at, l)
		}
		active := w.setting.ClientsAt(at)
		for id := active; id < w.active; id++ {
			w.Forsaken(int32(id))
		}
		w.active = active
		w.last, w.next = at, w.Faults.Next(at)
	}
}

// Asked is the server that clients take for a key's owner.
func (w *Link) Asked(now int64, key int32) int32 {
	if w.owners != nil {
		return w.owners.Asked(now, key)
	}
	return routing.Owner(key, w.Servers)
}

// Owns reports whether a key is in a server's memory.
func (w *Link) Owns(server, key int32) bool {
	if w.owners != nil {
		return w.owners.Owner(key) == server
	}
	return routing.Owner(key, w.Servers) == server
}

// Answers reports whether a server that a message about a key reaches at now
// does anything with it.
func (w *Link) Answers(now int64, key, server int32) bool {
	return !w.Faults.ServerDown(now, server) && (w.owners == nil || w.owners.Takes(now, key, server))
}

// BackAt is when a server answers that goes down at an instant, if it does.
func (w *Link) BackAt(at int64, server int32) int64 {
	for at < engine.Never && w.Faults.ServerDown(at, server) {
		at = w.Faults.Next(at)
	}
	return at
}

// Trip is one call's latency, split evenly over both ways.
func (w *Link) Trip(now int64) (there, back int64) {
	distribution := w.network
	if other, changed := w.Faults.Latency(now); changed {
		distribution = other
	}
	latency := distribution.Draw(&w.draws)
	return latency / 2, latency - latency/2
}

// fate is what befalls a message to or from a client that is sent at now.
func (w *Link) Outcome(now int64, client int32) faults.Outcome {
	f := w.Faults.Report(now, &w.outcomeDraws)
	f.Lost = f.Lost || w.Faults.Cut(now, client)
	return f
}
