package readthenwrite

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/remote"
)

// Store is the central store with its counters, and what clients have read from it.
// A client reads a key to a place of its own, decides there, and writes the place
// back. Nothing locks the key in between. Times of the store must not go backwards.
// It is not safe for concurrent use.
//
// A failover reverts recent writes. The store therefore keeps, beside the active
// table, one for each future failover, without the writes that it will lose.
type Store struct {
	config *Config
	reads  reads
	losses []remote.Loss   // future ones, in time order
	tables []counter.Table // the active one, and the one after each failover
}

// NewStore returns a store of keys 0 to keys-1 with the failovers that lose writes.
// ConfigFrom must have accepted the config with this limit.
func NewStore(c *Config, limit counter.Limit, keys int, losses []remote.Loss) *Store {
	s := &Store{config: c, losses: losses}
	for range len(losses) + 1 {
		s.tables = append(s.tables, c.table(limit, keys))
	}
	if c.Counter == tokenBucket {
		s.reads = &bucketReads{config: c, got: counter.NewTokenBuckets(limit, c.Bucket, 0)}
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
func (c *Config) table(limit counter.Limit, keys int) counter.Table {
	switch c.Counter {
	case tokenBucket:
		return counter.NewTokenBuckets(limit, c.Bucket, keys)
	case firstHitWindow:
		return counter.NewFirstHitWindows(limit, c.FirstHit, keys)
	}
	return counter.NewFixedWindows(limit, counter.WindowOptions{}, keys)
}

// Read copies the state of a key at now to a place. Places are numbered from 0; a
// place keeps its state until the next Read to it.
func (s *Store) Read(place, key int32, now int64) {
	s.reach(now)
	s.reads.copy(place, s.tables[0], key, now)
}

// Decide decides a request by what its client has read to a place. now is the
// client's time, by which it refills a bucket. It also reports whether the client
// then writes.
func (s *Store) Decide(place int32, now, cost int64) (v counter.Verdict, writes bool) {
	v = s.reads.decide(place, now, cost)
	return v, cost > 0 && (v.Admitted() || s.config.CountRejected)
}

// Write writes the request that was decided in a place to the key at now.
func (s *Store) Write(place, key int32, now, cost int64) {
	s.reach(now)
	survives := true
	for _, l := range s.losses {
		survives = survives && (now < l.Since || now >= l.At)
	}
	for i, t := range s.tables {
		if i == 0 || survives {
			s.reads.write(place, t, key, now, cost)
		}
	}
}

// reach makes the failovers that are due.
func (s *Store) reach(now int64) {
	for len(s.losses) > 0 && s.losses[0].At <= now {
		s.losses, s.tables = s.losses[1:], s.tables[1:]
	}
}

// Relimit changes the limit at now, for the store and for its clients. Counts stay;
// a bucket keeps its level in tokens, rounded down to the new limit's unit. The
// period must stay the same, unless the counter is a bucket.
func (s *Store) Relimit(limit counter.Limit, now int64) {
	s.reach(now)
	s.reads.relimit(limit, now, s.tables)
}

// Level returns the level of the key in the store.
func (s *Store) Level(key int32, now int64) int64 {
	s.reach(now)
	return s.tables[0].Level(key, now)
}

// RetryAt returns when the store's state of the key would admit a request of this
// cost.
func (s *Store) RetryAt(key int32, now, cost int64) int64 {
	s.reach(now)
	return s.tables[0].RetryAt(key, now, cost)
}
