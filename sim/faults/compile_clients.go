package faults

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

// staleness returns which clients use the assignment from before a change, and for
// how long.
func (c *compiler) staleness(f *scenarios.Fault, draws *random.Stream) staleness {
	s := staleness{stale: f.Values.Duration("stale_for")}
	switch n := concerned(f, "stale_share", "stale_clients", c.world.Clients); {
	case s.stale == 0 || n == c.world.Clients:
	case n == 0:
		s.stale = 0
	default:
		s.whose = c.affectedClients(f, "stale_share", "stale_clients", draws)
	}
	return s
}

// affectedClients returns the clients that a fault names, or a random share of
// them.
func (c *compiler) affectedClients(f *scenarios.Fault, share, clients string, draws *random.Stream) members {
	n := c.world.Clients
	m := make(members, (n+63)/64)
	if list := f.Values.List(clients); list != nil {
		for _, client := range list {
			m.add(int32(client.(int64)))
		}
		return m
	}
	// Each client is drawn with the probability that is still needed, so that
	// every set of this size is equally likely.
	for client, left := 0, concerned(f, share, clients, n); client < n && left > 0; client++ {
		if draws.Chance(uint64(left), uint64(n-client)) {
			m.add(int32(client))
			left--
		}
	}
	return m
}

// concerned returns the number of clients, of n, that a fault affects by the names of
// its fields.
func concerned(f *scenarios.Fault, shareField, clientsField string, n int) int {
	if list := f.Values.List(clientsField); list != nil {
		return len(list)
	}
	share := f.Values.Share(shareField)
	whole := int64(n) / share.Den * share.Num
	rest := int64(n) % share.Den
	return int(whole + (2*rest*share.Num+share.Den)/(2*share.Den))
}
