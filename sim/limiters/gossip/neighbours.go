// Package gossip runs limiters that tell each other what they count: over
// owners that broadcast, a store that they sync with, or gossip.
package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// neighbours are the nodes of a limiter in which clients exchange counts: what
// faults do to them apart from their messages.
type peers interface {
	// lose empties the memory of a server or of the store.
	lose(r faults.Restart)
	// scale says that clients 0 to alive-1 are there, where was of them were.
	scale(now int64, alive, was int32)
	// relimit puts another limit in force, of the same window.
	relimit(now int64, limit counter.Limit)
}

// neighbourhood is how far the faults of a trial have been followed.
type peerGroup struct {
	setting *engine.Setting
	seen    int64
	alive   int32
	limit   counter.Limit
}

func newPeerGroup(t *engine.Trial) peerGroup {
	return peerGroup{setting: t.Setting, seen: t.Origin - 1, alive: int32(t.Clients()), limit: t.Limit}
}

// befall has the nodes feel what has changed up to now.
func (h *peerGroup) applyFaults(now int64, n peers) {
	for _, r := range h.setting.Faults.Lost(h.seen, now) {
		n.lose(r)
	}
	h.seen = now
	if alive := int32(h.setting.ClientsAt(now)); alive != h.alive {
		was := h.alive
		h.alive = alive
		n.scale(now, alive, was)
	}
	if limit := h.setting.LimitAt(h.setting.Limit, now); limit != h.limit {
		h.limit = limit
		n.relimit(now, limit)
	}
}

// peersServe counts every client as a server: what one tells another is a call to it.
func peersServe(s *engine.Setting, _ *scenarios.Algorithm) int { return s.Clients() }
