package counter

import (
	"fmt"
	"hash/maphash"
	"math/bits"
	"runtime"
	"sync"
	"time"
)

// Keyed limits many keys, such as the clients of a server: each has a counter of its own.
// Make one with [NewKeyed]: all methods of the zero Keyed but Stats panic with a message. It
// is safe for concurrent use.
//
// A key whose counter is as good as new, such as a bucket that is full again, decides like
// a key that was never seen, and is dropped to make room: each new key looks at two others.
// Memory is that of the most keys held at one time: a dropped key leaves its place to a
// later one. A caller may have read the clock before a key was dropped: a new key begins at
// the time of the latest drop in its shard if that is less than a minute after its own.
//
// A random hash divides the keys into shards, at most 4 for each core and 256 in all, each
// with a lock and an equal part of the room. The first shard can be full when a tenth of
// the keys would still fit into others. If its shard has no room for a new key, the key
// shares one counter with the others of that kind and shard, which admits one limit for
// all of them, until an active key becomes idle. Stats counts these requests. Level and
// RetryAfter of such a key are those of the shared counter; Take may find room and admit
// the request earlier. A key that is not equal to itself, such as NaN, has no counter of its
// own: all of them are keys of the first shard for which there is no room.
//
// A key of a TokenBucket takes about 100 bytes, beside its own data.
type Keyed[K comparable] struct {
	seed   maphash.Seed
	shards []shard[K] // a power of two
}

// NewKeyed returns a counter for each key, of which it holds at most maxKeys at a time, 1
// to 2^30. It returns an error if maxKeys is outside of that, or if the algorithm cannot
// keep the limit exactly.
func NewKeyed[K comparable](limit Limit, algorithm Algorithm, maxKeys int) (*Keyed[K], error) {
	if maxKeys < 1 || maxKeys > 1<<30 {
		return nil, fmt.Errorf("counter: a bound of %d keys is outside 1 to 2^30", maxKeys)
	}
	// Four shards for each core, but of a thousand keys at least: chance fills small
	// ones unevenly.
	n := min(4*runtime.GOMAXPROCS(0), max(1, maxKeys/1024), 256)
	n = 1 << (bits.Len(uint(n)) - 1)
	k := &Keyed[K]{seed: maphash.MakeSeed(), shards: make([]shard[K], n)}
	for i := range k.shards {
		t, err := tableOf(limit, algorithm, firstKey)
		if err != nil {
			return nil, err
		}
		k.shards[i].counters = counters[K]{
			table: t, slots: map[K]int32{}, full: t.Level(unused, 0),
			most: (maxKeys + i) / n,
		}
	}
	return k, nil
}

// Take reports whether a request of this key and cost is admitted at now, and counts it
// if so.
func (k *Keyed[K]) Take(now time.Time, key K, cost int64) bool {
	s := k.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if cost <= 0 {
		return cost == 0
	}
	slot, ns := s.enter(key, nanoseconds(now))
	return take(s.table, slot, ns, cost)
}

// Level returns how many requests of cost 1 the key would admit at now, one after the
// other; 0 or less if it would reject the next one. It changes nothing.
func (k *Keyed[K]) Level(now time.Time, key K) int64 {
	s := k.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.Level(s.find(key), nanoseconds(now))
}

// RetryAfter returns the time from now until the key would admit a request of this cost
// if no other came before: 0 if it would now, negative if it never would. It changes
// nothing. Round it up for a Retry-After header, which has whole seconds.
func (k *Keyed[K]) RetryAfter(now time.Time, key K, cost int64) time.Duration {
	s := k.of(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	return retryAfter(s.table, s.find(key), nanoseconds(now), cost)
}

// Stats is the state of a Keyed.
type Stats struct {
	Keys   int   // that have a counter of their own at present
	Shared int64 // requests since the start for whose keys there was no room
}

// Stats returns the state. It locks one shard after the other.
func (k *Keyed[K]) Stats() (sum Stats) {
	for i := range k.shards {
		s := &k.shards[i]
		s.mu.Lock()
		sum.Keys += len(s.slots)
		sum.Shared += s.crowded
		s.mu.Unlock()
	}
	return sum
}

// of returns the shard of a key.
func (k *Keyed[K]) of(key K) *shard[K] {
	if len(k.shards) == 0 {
		panic("counter: a Keyed is made with NewKeyed")
	}
	if key != key { // its hash is another one each time
		return &k.shards[0]
	}
	return &k.shards[maphash.Comparable(k.seed, key)&uint64(len(k.shards)-1)]
}

// shard is a part of the keys, with a lock and cache lines of its own.
type shard[K comparable] struct {
	mu sync.Mutex
	counters[K]
	_ [64]byte
}

// The slots of a table that no key has.
const (
	common   = iota // the counter of keys for which there is no room
	unused          // a counter that stays new
	firstKey        // the slot of the first key
)

// counters are the counters of some keys.
type counters[K comparable] struct {
	table   table
	slots   map[K]int32
	keys    []held[K] // by slot, from firstKey on
	free    []int32   // slots without a key
	hand    int       // of keys, at which the next sweep begins
	dropped int64     // when a key was dropped last, in ns; see begin
	most    int       // keys
	full    int64     // level of a new counter
	crowded int64     // requests that had the common slot
}

type held[K comparable] struct {
	key  K
	held bool
}

// How many slots a new key looks at: with two, the keys that are kept are at most about
// half as many again as those that are active. Where there is no room it looks at more.
const (
	sweepAlways = 2
	sweepFull   = 32
)

// find returns the slot that decides on the key's next request, as far as is known
// without a sweep.
func (c *counters[K]) find(key K) int32 {
	if slot, ok := c.slots[key]; ok {
		return slot
	}
	if c.crowds(key) {
		return common
	}
	return unused
}

// crowds reports whether a new key gets no slot: all are taken, or the map of slots could
// never find it again.
func (c *counters[K]) crowds(key K) bool { return len(c.slots) >= c.most || key != key }

// enter returns the slot of a key, a new one if it has none yet, and the time at which it
// decides.
func (c *counters[K]) enter(key K, now int64) (slot int32, at int64) {
	if slot, ok := c.slots[key]; ok {
		return slot, now
	}
	c.sweep(sweepAlways, now)
	if len(c.slots) >= c.most {
		c.sweep(sweepFull, now)
	}
	if c.crowds(key) {
		c.crowded++
		return common, now
	}
	slot = int32(firstKey + len(c.keys))
	if n := len(c.free); n > 0 {
		slot, c.free = c.free[n-1], c.free[:n-1]
	} else {
		c.keys = append(c.keys, held[K]{})
		c.table.Reach(slot)
	}
	c.keys[slot-firstKey] = held[K]{key, true}
	c.slots[key] = slot
	return slot, c.begin(now)
}

// begin returns the time at which a new key begins: that of the latest drop, or now if the
// clock has been set back since.
func (c *counters[K]) begin(now int64) int64 {
	if late := c.dropped - now; late > 0 && late < int64(time.Minute) {
		return c.dropped
	}
	return now
}

// sweep looks at the next n slots and drops the keys whose counters are as good as new.
func (c *counters[K]) sweep(n int, now int64) {
	for range min(n, len(c.keys)) {
		c.hand = (c.hand + 1) % len(c.keys)
		slot := int32(firstKey + c.hand)
		if k := &c.keys[c.hand]; k.held && c.table.Level(slot, now) == c.full {
			delete(c.slots, k.key)
			*k = held[K]{}
			c.table.Forget(slot)
			c.free = append(c.free, slot)
			c.dropped = c.begin(now)
		}
	}
}
