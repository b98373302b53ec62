package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Question is what a client says of one key.
type Question struct {
	Client  int32
	Key     int32
	Has     Capacity // of a lease that holds
	Wants   Capacity
	Release bool // the client has no use for the key: its lease is given back
}

// Answer is a lease.
type Answer struct {
	Key      int32
	Gets     Capacity
	Until    int64    // ns; it holds before that
	Safe     Capacity // what to go by without a lease
	Released bool     // the lease is given back, and this is none
}

// Server is the half that grants.
type Server struct {
	config  *Config
	limit   Capacity
	keys    perkey.Table[Store]
	learnTo int64 // ns; until then what clients have is taken from them
}

// NewServer returns a server that has no leases out at now.
func NewServer(c *Config, now int64) *Server {
	s := &Server{config: c, limit: c.Limit, learnTo: now}
	if c.Learns {
		s.Restart(now)
	}
	return s
}

// Decide answers one question.
func (s *Server) Decide(now int64, q *Question) Answer {
	store := s.keys.At(q.Key)
	store.clean(now)
	answer := Answer{Key: q.Key, Until: now + min(s.config.Lease, never-now)}
	if q.Release {
		store.release(q.Client)
		answer.Released = true
		return answer
	}
	if now < s.learnTo {
		answer.Gets = q.Has
	} else {
		answer.Gets = store.share(s.config.Sharing, s.limit, q.Client, q.Wants)
	}
	store.assign(Granted{Client: q.Client, Has: answer.Gets, Wants: q.Wants, Expiry: answer.Until})
	if answer.Safe = s.config.SafeCapacity; !s.config.SafeGiven {
		answer.Safe = s.limit / int64(len(store.leases))
	}
	return answer
}

// Restart empties the server's memory and starts its learning mode.
func (s *Server) Restart(now int64) {
	s.keys.Clear()
	s.learnTo = now + min(s.config.Learning, never-now)
}

// Forget empties its memory of one key.
func (s *Server) Forget(key int32) { *s.keys.At(key) = Store{} }

// Relimit changes what there is to share out. Clients learn of it when they ask.
func (s *Server) Relimit(limit counter.Limit) { s.limit = limit.Count * s.config.Unit }

// never is later than any instant.
const never = int64(1<<63 - 1)
