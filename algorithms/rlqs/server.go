package rlqs

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Server is the half that divides the quota of its keys among the clients that
// report them. Its memory grows with the number of keys and clients. It is not safe
// for concurrent use.
type Server struct {
	config *Config
	limit  Capacity
	keys   perkey.Table[ledger]
	active []int32 // keys with subscribers, in order of their first reports; some may have none left
}

// NewServer returns a server without subscribers.
func NewServer(c *Config) *Server { return &Server{config: c, limit: c.Limit} }

// Count records a row of a client's report that arrives now.
func (s *Server) Count(now int64, client int32, u *Usage) {
	l := s.keys.At(u.Key)
	s.forget(l, now)
	if !l.listed {
		l.listed = true
		s.active = append(s.active, u.Key)
	}
	i := l.of(client)
	if i < 0 {
		i = len(l.list)
		l.list = append(l.list, subscriber{client: client, demand: s.config.Limit})
	}
	b := &l.list[i]
	b.heardAt = now
	if u.Elapsed > 0 {
		units := integers.Mul(integers.Add(u.Allowed, u.Denied), s.config.Unit, never)
		b.demand = max(s.config.Rate(units, u.Elapsed), s.config.LeastDemand)
	}
}

// Assign returns a client's new assignment of a key. ok is false if the client has
// not reported the key, and in a server that rebalances all clients together.
func (s *Server) Assign(now int64, client, key int32) (a Assignment, ok bool) {
	l := s.keys.At(key)
	i := l.of(client)
	if i < 0 || s.config.Rebalance > 0 {
		return a, false
	}
	t := l.terms(s.config, s.limit)
	return s.grant(now, key, &l.list[i], t.share(s.config, l.list[i].demand, l.outstanding(i, now))), true
}

// Rebalance calls send with a new assignment for each client of each key. Greedy
// serves the clients in the order in which they subscribed.
func (s *Server) Rebalance(now int64, send func(Assignment)) {
	kept := s.active[:0]
	for _, key := range s.active {
		l := s.keys.At(key)
		s.forget(l, now)
		if l.listed = len(l.list) > 0; l.listed {
			kept = append(kept, key)
		}
		t, granted := l.terms(s.config, s.limit), Capacity(0)
		for i := range l.list {
			b := &l.list[i]
			share := t.share(s.config, b.demand, granted)
			granted += share
			send(s.grant(now, key, b, share))
		}
	}
	s.active = kept
}

func (s *Server) grant(now int64, key int32, b *subscriber, share Capacity) Assignment {
	b.assigned, b.until = s.config.grain(share), integers.Add(now, s.config.TTL)
	return Assignment{Client: b.client, Key: key, Sent: now, Rate: b.assigned, Depth: s.config.Depth(b.assigned), TTL: s.config.TTL}
}

// forget removes the subscribers that have not reported for too long.
func (s *Server) forget(l *ledger, now int64) {
	l.list = slices.DeleteFunc(l.list, func(b subscriber) bool { return now-b.heardAt >= s.config.Forget })
}

// Restart clears the server's memory. Clients subscribe again with their next
// reports.
func (s *Server) Restart() {
	s.keys.Clear()
	s.active = s.active[:0]
}

// Forget clears the server's memory of one key.
func (s *Server) Forget(key int32) { s.keys.At(key).list = nil }

// Relimit changes the quota to divide. Clients learn of it with their next
// assignments.
func (s *Server) Relimit(limit counting.Limit) { s.limit = limit.Count * s.config.Unit }
