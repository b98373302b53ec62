package network

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Peers applies the faults that change more than messages to clients that
// exchange counts.
type Peers interface {
	// Lose empties the memory of a server or of the store.
	Lose(r faults.Restart)
	// Scale sets the active clients to 0 to alive-1; before there were was of
	// them.
	Scale(now int64, alive, was int32)
	// Relimit puts another limit in force. Its window is the same.
	Relimit(now int64, limit counter.Limit)
}

// PeerGroup holds the state of the peers up to which faults have been applied.
type PeerGroup struct {
	Alive   int32 // active clients
	setting *engine.Setting
	seen    int64
	limit   counter.Limit
}

// NewPeerGroup returns the state before the first fault of a trial.
func NewPeerGroup(t *engine.Trial) PeerGroup {
	return PeerGroup{setting: t.Setting, seen: t.Origin - 1, Alive: int32(t.Clients()), limit: t.Limit}
}

// Apply applies to the peers what has changed up to now.
func (g *PeerGroup) Apply(now int64, p Peers) {
	for _, r := range g.setting.Faults.Lost(g.seen, now) {
		p.Lose(r)
	}
	g.seen = now
	if alive := int32(g.setting.ClientsAt(now)); alive != g.Alive {
		was := g.Alive
		g.Alive = alive
		p.Scale(now, alive, was)
	}
	if limit := g.setting.LimitAt(g.setting.Limit, now); limit != g.limit {
		g.limit = limit
		p.Relimit(now, limit)
	}
}

// ClientsServe counts every client as a server: a message to a peer is a call
// to it.
func ClientsServe(s *engine.Setting, _ *scenarios.Algorithm) int { return s.Clients() }
