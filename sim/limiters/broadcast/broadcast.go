// Package broadcast simulates peers that own keys, count for one another and
// broadcast the totals.
package broadcast

import (
	"github.com/limitgauge/limitgauge/algorithms/broadcast"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes peers that decide from copies of the owner's counter.
var Limiter = engine.Limiter{
	Entry:      broadcast.Entry(),
	Presets:    broadcast.Presets(),
	Check:      checkBroadcast,
	Executor:   newBroadcast,
	Random:     broadcastDraws,
	Servers:    network.ClientsServe,
	AffectedBy: []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock", "server-restart", "server-crash", "autoscale", "policy-change"},
}

// What happens at one instant, in this order, after the world has changed.
const (
	forwardDue uint32 = iota + 1 // a peer's hits are sent
	tellDue                      // an owner's update is sent
	hitsArrive
	updateArrives
)

// broadcasts runs the peers: it owns the wire between them and their timers. A
// timer of a peer starts with the first thing to send, so idle time costs
// nothing.
type broadcasts struct {
	*network.Messages[peerMessage]
	config     broadcast.Config
	options    catalog.Values
	peers      []*broadcast.Peer
	forwarding []bool      // a peer's timer to forward its hits runs
	telling    []bool      // and the one to send its update
	calls      []ownerCall // made by one peer's timer
	load       *measure.Load
	world      network.PeerGroup
}

// ownerCall is a letter of hits and the peer that it is for.
type ownerCall struct{ owner, number int32 }

// peerMessage is hits or an update.
type peerMessage struct {
	hits   broadcast.Hits
	update broadcast.Update
}

func checkBroadcast(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := broadcast.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err == nil {
		_, err = s.Latency()
	}
	return err
}

func broadcastDraws(s *engine.Setting, _ *scenarios.Algorithm) bool { return network.DrawsLatency(s) }

func newBroadcast(t *engine.Trial) (engine.Executor, error) {
	config, err := broadcast.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())
	if err != nil {
		return nil, err
	}
	w, err := network.NewMessages[peerMessage](t)
	if err != nil {
		return nil, err
	}
	b := &broadcasts{
		Messages: w, config: config, options: t.Algorithm.Options, load: t.Recorder.Load(), world: network.NewPeerGroup(t),
		forwarding: make([]bool, t.Clients()), telling: make([]bool, t.Clients()),
	}
	for i := range t.Clients() {
		b.peers = append(b.peers, broadcast.NewPeer(&b.config, int32(i)))
	}
	err = t.CheckLimits(func(s *engine.Setting, limit counter.Limit) error {
		_, err := broadcast.ConfigFrom(t.Algorithm.Options, limit, s.Clients())
		return err
	})
	if err != nil {
		return nil, err
	}
	return engine.NewBlockExecutor(t.Sinks, b), nil
}

func (b *broadcasts) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	cut := b.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // a timer that an earlier one of these started
		}
		peer := b.peers[id]
		verdicts[i-lo] = peer.Decide(b.Clock(id, now), a.Key[i], a.Cost[i])
		if heard, ok := peer.HeardAt(a.Key[i]); ok {
			b.load.Staleness(now, max(now-heard, 0))
		}
		if b.start(now, id) {
			cut = b.Next()
		}
	}
	return hi - lo
}

// start starts the timers of a peer that has got something to send, or sends at
// once what has reached the batch limit, and reports whether it did anything.
func (b *broadcasts) start(now int64, id int32) (changed bool) {
	peer := b.peers[id]
	if n := peer.Queued(); n > 0 && (!b.forwarding[id] || n >= b.config.BatchLimit) {
		if n >= b.config.BatchLimit {
			b.forward(now, id)
		} else {
			b.forwarding[id] = true
			b.Schedule(now+b.config.Interval, forwardDue, id)
		}
		changed = true
	}
	if n := peer.Changed(); n > 0 && (!b.telling[id] || n >= b.config.BatchLimit) {
		if n >= b.config.BatchLimit {
			b.tell(now, id)
		} else {
			b.telling[id] = true
			b.Schedule(now+b.config.Interval, tellDue, id)
		}
		changed = true
	}
	return changed
}

func (b *broadcasts) Step(now int64) {
	for _, ok := b.Due(now, network.FaultsChange); ok; _, ok = b.Due(now, network.FaultsChange) {
		b.world.Apply(now, b)
		b.Follow(now)
	}
	for id, ok := b.Due(now, forwardDue); ok; id, ok = b.Due(now, forwardDue) {
		b.forwarding[id] = false
		b.forward(now, id)
	}
	for id, ok := b.Due(now, tellDue); ok; id, ok = b.Due(now, tellDue) {
		b.telling[id] = false
		b.tell(now, id)
	}
	for ref, ok := b.Due(now, hitsArrive); ok; ref, ok = b.Due(now, hitsArrive) {
		b.count(now, b.Open(ref))
	}
	for ref, ok := b.Due(now, updateArrives); ok; ref, ok = b.Due(now, updateArrives) {
		b.apply(now, b.Open(ref))
	}
}

// lose empties the memory of a peer: the server of a number is the peer of that
// number.
func (b *broadcasts) Lose(r faults.Restart) {
	if r.Server >= 0 && int(r.Server) < len(b.peers) {
		b.peers[r.Server].Clear()
	}
}

// scale gives keys their owners among the peers that are there. A peer that goes
// takes its memory along, and a new owner begins with its copy.
func (b *broadcasts) Scale(_ int64, alive, was int32) {
	for id := alive; id < was; id++ {
		b.peers[id].Clear()
	}
	b.config.Peers = int(alive)
}

func (b *broadcasts) Relimit(_ int64, limit counter.Limit) {
	limit.Burst = b.depth(limit)
	for _, peer := range b.peers {
		peer.Relimit(limit)
	}
	b.config.Limit = limit
}

// depth is the depth of a bucket under a limit, or that of its own.
func (b *broadcasts) depth(limit counter.Limit) int64 {
	if b.options.Set("burst") {
		return b.options.Int("burst")
	}
	return limit.Burst
}

// forward sends a peer's hits, a call to each owner of keys that have any.
func (b *broadcasts) forward(now int64, id int32) {
	b.calls = b.calls[:0]
	b.peers[id].Forward(func(owner int32) *broadcast.Hits {
		number, message := b.Blank()
		b.calls = append(b.calls, ownerCall{owner, number})
		return &message.hits
	})
	for _, c := range b.calls {
		if !b.Faults.ServerDown(now, id) {
			b.Send(now, hitsArrive, id, c.owner, c.number)
		}
		b.Discard(c.number)
	}
	if len(b.calls) > 0 {
		b.load.Fanout(now, len(b.calls))
	}
}

// tell sends an owner's update to every other peer.
func (b *broadcasts) tell(now int64, id int32) {
	number, message := b.Blank()
	b.peers[id].Tell(b.Clock(id, now), &message.update)
	if len(message.update.Rows) > 0 && !b.Faults.ServerDown(now, id) {
		for to := range b.world.Alive {
			if to != id {
				b.Send(now, updateArrives, id, to, number)
			}
		}
		b.load.Fanout(now, int(b.world.Alive)-1)
	}
	b.Discard(number)
}

// there reports whether a peer hears what is said to it.
func (b *broadcasts) there(now int64, id int32) bool {
	return id < b.world.Alive && !b.Faults.ServerDown(now, id)
}

func (b *broadcasts) count(now int64, p network.Delivery) {
	hits := &b.Payload(p.Message).hits
	if b.there(now, p.To) {
		b.load.Call(now, int(p.To), int64(len(hits.Rows)))
		b.peers[p.To].Count(b.Clock(p.To, now), hits)
		b.start(now, p.To)
	}
	b.Done(p)
}

func (b *broadcasts) apply(now int64, p network.Delivery) {
	update := &b.Payload(p.Message).update
	if b.there(now, p.To) {
		b.load.Call(now, int(p.To), int64(len(update.Rows)))
		b.load.ReportLatency(now, now-p.Sent)
		b.peers[p.To].Apply(b.Clock(p.To, now), update)
	}
	b.Done(p)
}

// Inspect looks at the client's own copy.
func (b *broadcasts) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	shown := b.Clock(client, now)
	level, retryAt = b.peers[client].Look(shown, key, cost)
	if retryAt != counter.Never {
		retryAt = max(retryAt+now-shown, now)
	}
	return level, retryAt
}
