package readthenwrite

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
)

// Store is the central store with its counters, and what clients have read from it.
// A client reads a key to a place of its own, decides there, and writes the place
// back. Nothing locks the key in between. Times of the store must not go backwards.
// It is not safe for concurrent use.
type Store struct {
	*remote.Store
	config *Config
	reads  reads
}

// NewStore returns a store of keys 0 to keys-1 with the failovers that lose writes.
// ConfigFrom must have accepted the config with this limit.
func NewStore(c *Config, limit counting.Limit, keys int, losses []remote.Loss) *Store {
	s := &Store{config: c, Store: remote.NewStore(losses, func() counting.Table { return c.table(limit, keys) })}
	if c.Counter == tokenBucket {
		s.reads = &bucketReads{config: c, got: counting.NewTokenBuckets(limit, c.Bucket, 0)}
	} else {
		r := &countReads{config: c, limit: limit.Count}
		if c.Counter == fixedWindow {
			r.width = limit.Window
		}
		s.reads = r
	}
	return s
}

// table returns a table of the configured counter.
func (c *Config) table(limit counting.Limit, keys int) counting.Table {
	switch c.Counter {
	case tokenBucket:
		return counting.NewTokenBuckets(limit, c.Bucket, keys)
	case firstHitWindow:
		return counting.NewFirstHitWindows(limit, c.FirstHit, keys)
	}
	return counting.NewFixedWindows(limit, counting.WindowOptions{}, keys)
}

// Read copies the state of a key at now to a place. Places are numbered from 0; a
// place keeps its state until the next Read to it.
func (s *Store) Read(place, key int32, now int64) {
	s.reads.copy(place, s.Tables(now)[0], key, now)
}

// Decide decides a request by what its client has read to a place. now is the
// client's time, by which it refills a bucket. It also reports whether the client
// then writes.
func (s *Store) Decide(place int32, now, cost int64) (v counting.Verdict, writes bool) {
	v = s.reads.decide(place, now, cost)
	return v, cost > 0 && (v.Admitted() || s.config.CountRejected)
}

// Write writes the request that was decided in a place to the key at now.
func (s *Store) Write(place, key int32, now, cost int64) {
	for _, t := range s.Written(now) {
		s.reads.write(place, t, key, now, cost)
	}
}

// Relimit changes the limit at now, for the store and for its clients. Counts stay;
// a bucket keeps its level in tokens, rounded down to the new limit's unit. The
// period must stay the same, unless the counter is a bucket.
func (s *Store) Relimit(limit counting.Limit, now int64) {
	s.reads.relimit(limit, now, s.Tables(now))
}
