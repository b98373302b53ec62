package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Question is a client's request for a lease of one key.
type Question struct {
	Client  int32
	Key     int32
	Has     Capacity // of a lease that still holds
	Wants   Capacity
	Release bool // the client gives its lease back
}

// Answer is the server's response: a lease.
type Answer struct {
	Key      int32
	Gets     Capacity
	Until    int64    // ns; the lease holds before that
	Safe     Capacity // what the client may use without a lease
	Released bool     // the lease was given back; this is not a lease
}

// Server is the half that grants leases. Its memory grows with the number of keys
// and clients. It is not safe for concurrent use.
type Server struct {
	config  *Config
	limit   Capacity
	keys    perkey.Table[Store]
	learnTo int64 // ns; until then the server grants the leases that clients report
}

// NewServer returns a server that has granted no leases at now.
func NewServer(c *Config, now int64) *Server {
	s := &Server{config: c, limit: c.Limit, learnTo: now}
	if c.Learns {
		s.Restart(now)
	}
	return s
}

// Decide answers one request for a lease.
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

// Restart clears the server's memory and starts its learning mode.
func (s *Server) Restart(now int64) {
	s.keys.Clear()
	s.learnTo = now + min(s.config.Learning, never-now)
}

// Forget clears the server's memory of one key.
func (s *Server) Forget(key int32) { *s.keys.At(key) = Store{} }

// Relimit changes the capacity to share out. Clients learn of it at their next
// refresh.
func (s *Server) Relimit(limit counting.Limit) { s.limit = limit.Count * s.config.Unit }

// never is after all times.
const never = int64(1<<63 - 1)
