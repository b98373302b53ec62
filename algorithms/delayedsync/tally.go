package delayedsync

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Tally is a node that adds its own counts since the last sync to those the
// store had then, and weighs the two windows at every request. It is not safe
// for use by several goroutines.
type Tally struct {
	config *Config
	id     int32
	keys   perkey.Table[tally]
	dirty  []int32 // keys with something to bring to the store, in order of the first time
}

// tally is what a node knows of one key: its own counts that the store does not
// have, and those the store had at the last sync.
type tally struct {
	own      windows
	shared   windows
	syncedAt int64
	known    bool
	dirty    bool
}

// NewTally returns node number id.
func NewTally(c *Config, id int32) *Tally { return &Tally{config: c, id: id} }

// Decide decides one request: it is admitted when the estimate, with its cost,
// stays within the limit. Cost 0 is admitted and not counted.
func (t *Tally) Decide(now int64, key int32, cost int64) counter.Verdict {
	if cost <= 0 {
		return counter.Admitted
	}
	k := t.keys.At(key)
	number := now / t.config.Limit.Window
	k.own.at(number)
	k.shared.at(number)
	current, previous := k.counts(number)
	v := counter.Rejected
	if t.config.fits(cost, current, previous, t.config.Limit.Window-now%t.config.Limit.Window) {
		v = counter.Admitted
	} else if !t.config.CountRejected {
		return v
	}
	k.own.add(number, cost)
	t.mark(k, key)
	return v
}

func (t *Tally) mark(k *tally, key int32) {
	if !k.dirty {
		k.dirty = true
		t.dirty = append(t.dirty, key)
	}
}

// counts are the key's two windows, its own and the shared counts together.
func (k *tally) counts(number int64) (current, previous int64) {
	current, previous = k.own.seen(number)
	moreCurrent, morePrevious := k.shared.seen(number)
	return addCount(current, moreCurrent), addCount(previous, morePrevious)
}

// fits says whether cost + current + previous*rest/window is at most the limit.
func (c *Config) fits(cost, current, previous, rest int64) bool {
	free := c.Limit.Count - current
	if cost > free {
		return false
	}
	free -= cost
	if !c.Sliding {
		return true
	}
	freeHi, freeLo := bits.Mul64(uint64(free), uint64(c.Limit.Window))
	usedHi, usedLo := bits.Mul64(uint64(max(previous, 0)), uint64(rest))
	_, borrow := bits.Sub64(freeLo, usedLo, 0)
	_, borrow = bits.Sub64(freeHi, usedHi, borrow)
	return borrow == 0
}

// Flush brings what the store does not have. A node that has counted nothing
// still asks: the flush is then empty.
func (t *Tally) Flush(now int64, f *Flush) {
	number := now / t.config.Limit.Window
	f.Node, f.SentAt, f.Rows = t.id, now, f.Rows[:0]
	for _, key := range t.dirty {
		k := t.keys.At(key)
		k.dirty = false
		k.own.at(number)
		if k.own.current|k.own.previous != 0 {
			f.Rows = append(f.Rows, FlushRow{Key: key, Delta: k.own.current, Earlier: k.own.previous})
		}
	}
	t.dirty = t.dirty[:0]
}

// Apply takes in the answer to a flush: all that the store has, the node's own
// rows of that flush included.
func (t *Tally) Apply(now int64, f *Flush, a *Answer) {
	number := f.SentAt / t.config.Limit.Window
	for i := range f.Rows {
		row := &f.Rows[i]
		k := t.keys.At(row.Key)
		k.own.at(number)
		k.own.add(number, -row.Delta)
		k.own.add(number-1, -row.Earlier)
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		k := t.keys.At(row.Key)
		if number < k.shared.number-1 {
			continue
		}
		at := max(k.shared.number, now/t.config.Limit.Window)
		k.shared = windows{number: number, current: row.Current, previous: row.Previous}
		k.shared.at(at)
		k.known, k.syncedAt = true, now
	}
}

// Fail says that a flush was not answered: the next one brings its counts again.
func (t *Tally) Fail(f *Flush) {
	for i := range f.Rows {
		t.mark(t.keys.At(f.Rows[i].Key), f.Rows[i].Key)
	}
}

// SyncedAt is when the node last heard of the key; ok is false where it never has.
func (t *Tally) SyncedAt(key int32) (at int64, ok bool) {
	k := t.keys.Peek(key)
	return k.syncedAt, k.known
}

// Level is the largest cost that the node would admit of a key at now.
func (t *Tally) Level(now int64, key int32) int64 {
	k := t.keys.Peek(key)
	number := now / t.config.Limit.Window
	k.own.at(number)
	k.shared.at(number)
	current, previous := k.counts(number)
	level := t.config.Limit.Count - current
	if t.config.Sliding {
		level -= t.config.weighed(previous, t.config.Limit.Window-now%t.config.Limit.Window)
	}
	return max(level, 0)
}
