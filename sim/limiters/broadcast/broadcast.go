// Package broadcast simulates peers that own keys, count for one another and
// broadcast the totals.
//
// The package makes no promise: it can change at any time.
package broadcast

import (
	"github.com/limitgauge/limitgauge/algorithms/broadcast"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes peers that decide from copies of the owner's counter.
var Limiter = engine.Limiter{
	Entry:       broadcast.Entry(),
	Presets:     broadcast.Presets(),
	Check:       engine.CheckPerPolicy(checkBroadcast),
	Executor:    engine.PerPolicy(newBroadcast),
	ClientBytes: 200,
	Random:      network.DrawsLatency,
	Servers:     network.ClientsServe,
	AffectedBy:  []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock", "server-restart", "server-crash", "autoscale", "policy-change"},
	Sidecar:     true,
}

// Event kinds, in the order in which they run when they share a timestamp.
const (
	forwardDue uint32 = iota // a peer sends hits to the owners of their keys
	updateDue                // an owner sends an update
	hitsArrive
	updateArrives
)

// broadcasts runs the peers and the messages between them. A timer of a peer
// starts when the peer has something to send, so idle time costs nothing.
type broadcasts struct {
	*network.Messages[peerMessage]
	config     broadcast.Config
	options    catalog.Values
	peers      []*broadcast.Peer
	forwarding []bool   // by peer: its timer to send hits runs
	updating   []bool   // by peer: its timer to send an update runs
	oldest     []int64  // by peer: the first hit that it has not sent, or -1
	hits       []toSend // of one peer, at one instant
	load       *measure.Load
}

// toSend is a message of hits and its receiver.
type toSend struct{ owner, number int32 }

// peerMessage carries hits or an update.
type peerMessage struct {
	hits   broadcast.Hits
	oldest int64 // the first request that the hits can be about
	update broadcast.Update
}

func checkBroadcast(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := broadcast.ConfigFrom(a.Options, s.Limit, s.Clients())
	return err
}

func newBroadcast(t *engine.Trial) (engine.Executor, error) {
	b := &broadcasts{
		config:  engine.Must(broadcast.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())),
		options: t.Algorithm.Options, load: t.Load(),
		forwarding: make([]bool, t.Clients()), updating: make([]bool, t.Clients()),
	}
	b.Messages = network.NewMessages[peerMessage](t, t.Clients(), b.fire, b.applyFaults)
	for i := range t.Clients() {
		b.oldest = append(b.oldest, -1)
		b.peers = append(b.peers, broadcast.NewPeer(&b.config, int32(i)))
	}
	t.Faults.OwnedBy(func(key int32) int32 { return routing.Owner(key, b.config.Peers) })
	return engine.NewBlockExecutor(t.Sinks, b), t.CheckLimits(func(limit counting.Limit) error {
		_, err := broadcast.ConfigFrom(t.Algorithm.Options, limit, t.Clients())
		return err
	})
}

func (b *broadcasts) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	cut := b.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // an earlier arrival has started a timer
		}
		peer := b.peers[id]
		verdicts[i-lo] = peer.Decide(b.Clock(id, now), a.Key[i], a.Cost[i])
		b.Faults.Holds(id, a.Key[i])
		if heard, ok := peer.ReceivedAt(a.Key[i]); ok {
			b.load.Staleness(now, max(now-heard, 0))
		}
		if b.start(now, id) {
			cut = b.Next()
		}
	}
	return hi - lo
}

// Admits implements engine.Judge.
func (b *broadcasts) Admits(key, client int32, now, cost int64) bool {
	return b.peers[client].Admits(b.Clock(client, now), key, cost)
}

// start starts the timers of a peer that has something to send, or sends at once
// what has reached the batch limit. It reports whether it has done either.
func (b *broadcasts) start(now int64, id int32) (changed bool) {
	peer := b.peers[id]
	if b.oldest[id] < 0 && peer.Queued() > 0 {
		b.oldest[id] = now
	}
	forwards := b.timed(now, id, peer.Queued(), forwardDue, b.forwarding, (*broadcasts).forward)
	updates := b.timed(now, id, peer.Changed(), updateDue, b.updating, (*broadcasts).update)
	return forwards || updates
}

// timed is start for n keys that a peer has to send by one of its timers.
func (b *broadcasts) timed(now int64, id int32, n int, kind uint32, running []bool, send func(b *broadcasts, now int64, id int32)) bool {
	switch {
	case n == 0 || running[id] && n < b.config.BatchLimit:
		return false
	case n >= b.config.BatchLimit:
		send(b, now, id)
	default:
		running[id] = true
		b.Schedule(now+b.config.Interval, kind, id)
	}
	return true
}

func (b *broadcasts) fire(e engine.Event) {
	switch e.Kind {
	case forwardDue:
		b.forwarding[e.Ref] = false
		b.forward(e.Time, e.Ref)
	case updateDue:
		b.updating[e.Ref] = false
		b.update(e.Time, e.Ref)
	case hitsArrive:
		b.count(e.Time, b.Receive(e.Ref))
	case updateArrives:
		b.apply(e.Time, b.Receive(e.Ref))
	}
}

// applyFaults restarts peers, which have the numbers of servers too, assigns the
// keys to the active peers and changes the limit. A peer that stops takes its
// memory along, and a new owner begins with its copy.
func (b *broadcasts) applyFaults(c network.Change) {
	for _, id := range c.Restarted {
		b.peers[id].Clear()
		b.oldest[id] = -1
	}
	for id := c.Active; id < c.Before; id++ {
		b.peers[id].Clear()
		b.oldest[id] = -1
	}
	b.config.Peers = int(c.Active)
	if !c.Limited {
		return
	}
	limit := engine.Must(broadcast.ConfigFrom(b.options, c.Limit, len(b.peers))).Limit
	for _, peer := range b.peers {
		peer.Relimit(limit)
	}
	b.config.Limit = limit
}

// forward sends a peer's hits, in one message to each owner of their keys.
func (b *broadcasts) forward(now int64, id int32) {
	b.hits = b.hits[:0]
	b.peers[id].Forward(func(owner int32) *broadcast.Hits {
		number, message := b.New()
		b.hits = append(b.hits, toSend{owner, number})
		message.oldest = b.oldest[id]
		return &message.hits
	})
	b.oldest[id] = -1
	for _, c := range b.hits {
		if !b.Faults.ServerFails(now, id) {
			b.Send(now, hitsArrive, id, c.owner, c.number)
		}
		b.Discard(c.number)
	}
	if len(b.hits) > 0 {
		b.load.Fanout(now, len(b.hits))
	}
}

// update sends an owner's update to every other peer.
func (b *broadcasts) update(now int64, id int32) {
	number, message := b.New()
	b.peers[id].Broadcast(b.Clock(id, now), &message.update)
	if len(message.update.Rows) > 0 && !b.Faults.ServerFails(now, id) {
		for to := range b.Active {
			if to != id {
				b.Send(now, updateArrives, id, to, number)
			}
		}
		b.load.Fanout(now, int(b.Active)-1)
	}
	b.Discard(number)
}

func (b *broadcasts) count(now int64, d network.Delivery) {
	hits := &b.Payload(d.Message).hits
	if b.Up(now, d.To) {
		b.load.Call(now, int(d.To), int64(len(hits.Rows)))
		for i := range hits.Rows {
			b.Faults.Holds(d.To, hits.Rows[i].Key)
		}
		b.peers[d.To].Count(b.Clock(d.To, now), hits)
		b.load.CountLag(now, now-b.Payload(d.Message).oldest)
		b.start(now, d.To)
	}
	b.Done(d)
}

func (b *broadcasts) apply(now int64, d network.Delivery) {
	update := &b.Payload(d.Message).update
	if b.Up(now, d.To) {
		b.load.Call(now, int(d.To), int64(len(update.Rows)))
		b.load.ReportLatency(now, now-d.Sent)
		for i := range update.Rows {
			b.Faults.Holds(d.To, update.Rows[i].Key)
		}
		b.peers[d.To].Apply(b.Clock(d.To, now), update)
	}
	b.Done(d)
}

// Inspect returns the state of the client's own copy.
func (b *broadcasts) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	shown := b.Clock(client, now)
	level, retryAt = b.peers[client].Look(shown, key, cost)
	if retryAt != counting.Never {
		retryAt = max(retryAt+now-shown, now)
	}
	return level, retryAt
}
