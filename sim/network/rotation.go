package network

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Rotation sends the requests of each client to the servers in turn.
type Rotation struct {
	faults  *faults.Timeline
	servers int32
	turn    []int32 // by client: the next server
}

// NewRotation has client i begin with server i, modulo the number of servers.
func NewRotation(s *engine.Setting) Rotation {
	s.Faults.FollowServers()
	r := Rotation{faults: s.Faults, servers: int32(s.AllServers()), turn: make([]int32, s.Clients())}
	for i := range r.turn {
		r.turn[i] = int32(i % s.Servers())
	}
	return r
}

// Next returns a client's next server at now. It skips servers that are known
// to be down, unless all of them are, and those that have not joined yet or have
// left, as far as the client knows.
func (r *Rotation) Next(now int64, client int32) int32 {
	last := r.turn[client]
	for range r.servers {
		server := r.turn[client]
		if r.turn[client]++; r.turn[client] == r.servers {
			r.turn[client] = 0
		}
		if r.faults == nil {
			return server
		}
		member, entry := r.faults.Member(r.faults.View(now, client), server)
		if entry >= 0 {
			r.faults.Touch(entry)
		}
		if !member {
			continue
		}
		if last = server; !r.faults.Avoids(now, server) {
			return server
		}
	}
	return last
}
