package prefetch

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Server is the half that grants tokens. It takes them from a counter for each key
// when they are fetched. It is not safe for concurrent use.
type Server struct {
	config *Config
	limit  counting.Limit
	keys   int
	counts table
}

// table is a table of token buckets or of fixed windows.
type table interface {
	counting.Table
	Forget(key int32)
}

// NewServer returns a server with new counters for keys 0 to keys-1.
func NewServer(c *Config, keys int) *Server {
	s := &Server{config: c, limit: c.Limit, keys: keys}
	s.Restart()
	return s
}

// Restart resets all counters.
func (s *Server) Restart() {
	if s.config.Bucket != nil {
		s.counts = counting.NewTokenBuckets(s.limit, s.config.bucket(s.limit), s.keys)
	} else {
		s.counts = counting.NewFixedWindows(s.limit, counting.WindowOptions{}, s.keys)
	}
}

// Grant takes tokens from the key's counter.
func (s *Server) Grant(now int64, key int32, asked int64) Answer {
	t := s.counts
	t.Take(key, now, 0) // the first call creates a bucket
	answer := Answer{Key: key, Asked: asked}
	give := max(0, min(asked, t.Level(key, now)))
	if give > 0 {
		t.Take(key, now, give)
		answer.Granted = give
	}
	if give < asked {
		if answer.RetryAt = t.RetryAt(key, now, min(asked, s.config.LeaseSize)); answer.RetryAt == counting.Never {
			answer.RetryAt = t.RetryAt(key, now, 1)
		}
	}
	return answer
}

// RetryAt returns when the counter will hold this many tokens, or counting.Never.
func (s *Server) RetryAt(now int64, key int32, cost int64) int64 {
	return s.counts.RetryAt(key, now, cost)
}

// Forget resets the key's counter.
func (s *Server) Forget(key int32) { s.counts.Forget(key) }

// Relimit changes the limit at now. Counts stay, and a bucket keeps its level, cut
// to its new depth.
func (s *Server) Relimit(now int64, limit counting.Limit) {
	s.limit = limit
	switch t := s.counts.(type) {
	case *counting.TokenBuckets:
		t.RelimitRounded(limit, s.config.bucket(limit), now)
	case *counting.FixedWindows:
		t.Relimit(limit)
	}
}
