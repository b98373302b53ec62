package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Ask sends one key's uncommitted counts to the store at once and returns its
// answer. ok is false if the store cannot be reached.
type Ask func(now int64, key int32, delta int64) (answer AnswerRow, ok bool)

// Quota is a node that spends the store's last remainder of the limit until the
// next sync. For a key without a quota, and when a quota's time is over at the
// end of the calendar window, it calls the store at once, during the request. If
// the store cannot be reached, it counts in a store of its own. It is not safe
// for concurrent use.
type Quota struct {
	config *Config
	id     int32
	ask    Ask
	alone  *Store
	keys   perkey.Table[quota]
	asked  []int32 // keys requested since the last flush, in order of first requests
}

// quota is a node's state for one key.
type quota struct {
	delta     int64 // admitted and not committed
	flying    int64 // the part of delta in a flush in flight
	born      int64 // when delta began to count
	remaining int64
	until     int64 // the quota is void from this time on
	syncedAt  int64
	known     bool
	counting  bool // there is a delta
	asked     bool
}

// NewQuota returns node number id.
func NewQuota(c *Config, id int32, ask Ask) *Quota {
	return &Quota{config: c, id: id, ask: ask, alone: &Store{config: c, commit: Checked}}
}

// delta returns the key's uncommitted count, which is 0 after its lifetime.
func (q *Quota) delta(k *quota, now int64) int64 {
	if k.counting && q.config.Lifetime > 0 && now-k.born >= q.config.Lifetime {
		k.counting, k.delta = false, 0
	}
	return k.delta
}

func (q *Quota) count(k *quota, now, cost int64) {
	if q.delta(k, now); !k.counting {
		k.counting, k.born = true, now
	}
	k.delta = addCount(k.delta, cost)
}

// Decide decides one request. Cost 0 is admitted and not counted.
func (q *Quota) Decide(now int64, key int32, cost int64) counting.Verdict {
	if cost <= 0 {
		return counting.Admitted
	}
	k := q.keys.At(key)
	// As in the original, a request that causes a call to the store is still charged
	// with what the call has just committed.
	delta := q.delta(k, now)
	q.renew(k, now, key)
	if !k.asked {
		k.asked = true
		q.asked = append(q.asked, key)
	}
	if k.remaining-delta < cost {
		return counting.Rejected
	}
	q.count(k, now, cost)
	return counting.Admitted
}

// renew calls the store if the quota is void.
func (q *Quota) renew(k *quota, now int64, key int32) {
	if k.known && now < k.until {
		return
	}
	fresh := addCount(q.delta(k, now), -k.flying)
	row, ok := q.ask(now, key, fresh)
	if !ok {
		row = q.alone.Commit(now, key, fresh)
	}
	q.take(k, now, fresh, &row)
}

// Admits reports whether a request fits in the quota. It calls the store if the quota
// is void, and takes nothing from the limit.
func (q *Quota) Admits(now int64, key int32, cost int64) bool {
	if cost <= 0 {
		return true
	}
	k := q.keys.At(key)
	q.renew(k, now, key)
	return k.remaining-q.delta(k, now) >= cost
}

// take applies an answer about the committed delta.
func (q *Quota) take(k *quota, now, delta int64, row *AnswerRow) {
	k.known, k.remaining, k.until, k.syncedAt = true, row.Remaining, integers.Add(now, row.Reset), now
	q.count(k, now, -delta)
}

// Waiting reports whether a sync is due an interval after the first request since
// the last one.
func (q *Quota) Waiting() bool { return len(q.asked) > 0 }

// Flush fills in the counts of every key with requests since the last flush, also
// of keys whose requests were all rejected.
func (q *Quota) Flush(now int64, f *Flush) {
	f.Node, f.SentAt, f.Rows = q.id, now, f.Rows[:0]
	for _, key := range q.asked {
		k := q.keys.At(key)
		k.asked = false
		if delta := q.delta(k, now); k.counting {
			k.flying = delta
			f.Rows = append(f.Rows, FlushRow{Key: key, Delta: delta})
		}
	}
	q.asked = q.asked[:0]
}

// Apply applies the answer to a flush, which has a row for each of its rows. The
// node has continued to count in between.
func (q *Quota) Apply(now int64, f *Flush, a *Answer) {
	for i := range a.Rows {
		k := q.keys.At(a.Rows[i].Key)
		k.flying = 0
		q.take(k, now, f.Rows[i].Delta, &a.Rows[i])
	}
}

// Fail handles a flush without an answer: the node commits it to a store of its
// own.
func (q *Quota) Fail(now int64, f *Flush) {
	for i := range f.Rows {
		row := q.alone.Commit(f.SentAt, f.Rows[i].Key, max(f.Rows[i].Delta, 1))
		k := q.keys.At(row.Key)
		k.flying = 0
		q.take(k, now, f.Rows[i].Delta, &row)
	}
}

// SyncedAt returns the time of the key's last answer. ok is false if there was none.
func (q *Quota) SyncedAt(key int32) (at int64, ok bool) {
	k := q.keys.Peek(key)
	return k.syncedAt, k.known
}

// Level returns what the node would still admit of a key, and the earliest time at
// which it calls the store again.
func (q *Quota) Level(now int64, key int32) (level, retryAt int64) {
	k := q.keys.Peek(key)
	if !k.known || now >= k.until {
		return q.config.Limit.Count, now
	}
	if level = k.remaining - q.delta(&k, now); level > 0 {
		return level, now
	}
	return 0, k.until
}
