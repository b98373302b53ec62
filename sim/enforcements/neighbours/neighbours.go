// Package neighbours runs limiters that tell each other what they count: over
// owners that broadcast, a store that they sync with, or gossip.
package neighbours

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// neighbours are the nodes of a limiter in which clients exchange counts: what
// faults do to them apart from their messages.
type neighbours interface {
	// lose empties the memory of a server or of the store.
	lose(r faults.Restart)
	// scale says that clients 0 to alive-1 are there, where was of them were.
	scale(now int64, alive, was int32)
	// relimit puts another limit in force, of the same window.
	relimit(now int64, limit counters.Limit)
}

// neighbourhood is how far the faults of a trial have been followed.
type neighbourhood struct {
	setting *trial.Setting
	seen    int64
	alive   int32
	limit   counters.Limit
}

func newNeighbourhood(t *trial.Trial) neighbourhood {
	return neighbourhood{setting: t.Setting, seen: t.Origin - 1, alive: int32(t.Clients()), limit: t.Limit}
}

// befall has the nodes feel what has changed up to now.
func (h *neighbourhood) befall(now int64, n neighbours) {
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
func peersServe(s *trial.Setting, _ *scenarios.Algorithm) int { return s.Clients() }
