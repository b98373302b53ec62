package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Tally is a node that adds its own counts since the last sync to those of the
// store, and weights the two windows at every request. It is not safe for
// concurrent use.
type Tally struct {
	config *Config
	id     int32
	keys   perkey.Table[tally]
	dirty  []int32 // keys with counts for the store, in order of first counts
}

// tally is what a node knows of one key: its own counts that the store does not
// have, and the store's counts at the last sync.
type tally struct {
	own      windows
	shared   windows
	syncedAt int64
	known    bool
	dirty    bool
}

// NewTally returns node number id.
func NewTally(c *Config, id int32) *Tally { return &Tally{config: c, id: id} }

// Decide decides one request: it admits it if the estimate plus its cost does not
// exceed the limit. Cost 0 is admitted and not counted.
func (t *Tally) Decide(now int64, key int32, cost int64) counting.Verdict {
	if cost <= 0 {
		return counting.Admitted
	}
	k := t.keys.At(key)
	number := now / t.config.Limit.Window
	k.own.at(number)
	k.shared.at(number)
	current, previous := k.counts(number)
	v := counting.Rejected
	if t.config.fits(cost, current, previous, t.config.Limit.Window-now%t.config.Limit.Window) {
		v = counting.Admitted
	} else if !t.config.CountRejected {
		return v
	}
	k.own.add(number, cost)
	t.mark(k, key)
	return v
}

// Admits reports whether Decide would admit a request. It changes nothing.
func (t *Tally) Admits(now int64, key int32, cost int64) bool {
	level, _ := t.Level(now, key)
	return cost <= level
}

func (t *Tally) mark(k *tally, key int32) {
	if !k.dirty {
		k.dirty = true
		t.dirty = append(t.dirty, key)
	}
}

// counts returns the key's two windows: its own and the shared counts together.
func (k *tally) counts(number int64) (current, previous int64) {
	current, previous = k.own.seen(number)
	moreCurrent, morePrevious := k.shared.seen(number)
	return addCount(current, moreCurrent), addCount(previous, morePrevious)
}

// fits reports whether cost + current + previous*rest/window is at most the limit.
func (c *Config) fits(cost, current, previous, rest int64) bool {
	free := c.Limit.Count - current
	if cost > free || !c.Sliding {
		return cost <= free
	}
	return integers.Fits(max(previous, 0), rest, c.Limit.Window, free-cost)
}

// Flush fills in the counts that the store does not have. A node without counts
// still syncs, with an empty flush.
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

// Apply applies the answer to a flush: all counts of the store, including the
// node's own rows of that flush.
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

// Fail handles a flush without an answer: the next flush repeats its counts.
func (t *Tally) Fail(_ int64, f *Flush) {
	for i := range f.Rows {
		t.mark(t.keys.At(f.Rows[i].Key), f.Rows[i].Key)
	}
}

// SyncedAt returns the time of the key's last answer. ok is false if there was none.
func (t *Tally) SyncedAt(key int32) (at int64, ok bool) {
	k := t.keys.Peek(key)
	return k.syncedAt, k.known
}

// Level returns the largest cost that the node would admit of a key at now. It
// makes no forecast: retryAt is now.
func (t *Tally) Level(now int64, key int32) (level, retryAt int64) {
	k := t.keys.Peek(key)
	number := now / t.config.Limit.Window
	k.own.at(number)
	k.shared.at(number)
	current, previous := k.counts(number)
	level = t.config.Limit.Count - current
	if t.config.Sliding {
		level -= t.config.weighted(previous, t.config.Limit.Window-now%t.config.Limit.Window)
	}
	return max(level, 0), now
}
