package remote

import "github.com/limitgauge/limitgauge/algorithms/counting"

// LimitAt returns the limit of a key at a time. Its window must not change.
type LimitAt func(key int32, now int64) counting.Limit

// Synced holds one replica's counts of fixed windows in its own memory, which it
// syncs with a store that adds the counts of all replicas. It admits a request if
// the store's last total, the counts in flight, the counts since then and the
// request itself do not exceed the limit. The replica does not know what other
// replicas admit in the meantime. It is not safe for concurrent use.
type Synced struct {
	limit   LimitAt
	keys    map[int32]*synced
	touched []int32 // keys with counts to sync, in order of first touch
}

// synced is a key's count in one window.
type synced struct {
	start  int64
	known  int64 // the store's last total
	flying int64 // sent and not answered
	fresh  int64 // not sent
	listed bool  // in touched
}

func (k *synced) left(limit counting.Limit) int64 { return limit.Count - k.known - k.flying - k.fresh }

// SyncRow holds a replica's counts of one key, and in the response the store's
// total.
type SyncRow struct {
	Key   int32
	Start int64 // of the window
	Added int64
	Total int64
}

// NewSynced returns a replica without counts.
func NewSynced(limit LimitAt) *Synced {
	return &Synced{limit: limit, keys: map[int32]*synced{}}
}

// at returns the key's count in the window of now, and its limit.
func (s *Synced) at(key int32, now int64) (*synced, counting.Limit) {
	limit := s.limit(key, now)
	k := s.keys[key]
	if k == nil {
		k = &synced{}
		s.keys[key] = k
	}
	if start := now - now%limit.Window; start > k.start {
		*k = synced{start: start, listed: k.listed}
	}
	return k, limit
}

// Take decides one request.
func (s *Synced) Take(key int32, now, cost int64) counting.Verdict {
	k, limit := s.at(key, now)
	if cost > 0 && cost > k.left(limit) {
		return counting.Rejected
	}
	k.fresh += max(cost, 0)
	s.touch(key, k)
	return counting.Admitted
}

func (s *Synced) touch(key int32, k *synced) {
	if k.fresh > 0 && !k.listed {
		k.listed = true
		s.touched = append(s.touched, key)
	}
}

// Pending reports whether there is anything to sync.
func (s *Synced) Pending() bool { return len(s.touched) > 0 }

// Level returns what the replica would admit of the key at now.
func (s *Synced) Level(key int32, now int64) int64 {
	k, limit := s.at(key, now)
	return max(0, k.left(limit))
}

// RetryAt returns when the replica would admit a request of this cost.
func (s *Synced) RetryAt(key int32, now, cost int64) int64 {
	k, limit := s.at(key, now)
	return retryAt(limit, k.left(limit), now, cost)
}

// retryAt returns when a window with this remainder at now, or the next one, has
// room for a request of this cost.
func retryAt(limit counting.Limit, left, now, cost int64) int64 {
	switch {
	case cost <= max(0, left):
		return now
	case cost > limit.Count:
		return counting.Never
	}
	start := now - now%limit.Window
	return start + min(limit.Window, counting.Never-start)
}

// Flush appends the counts for the store. It drops counts of windows that are
// over.
func (s *Synced) Flush(now int64, rows []SyncRow) []SyncRow {
	for _, key := range s.touched {
		k, _ := s.at(key, now)
		k.listed = false
		if k.fresh == 0 {
			continue
		}
		rows = append(rows, SyncRow{Key: key, Start: k.start, Added: k.fresh})
		k.flying += k.fresh
		k.fresh = 0
	}
	s.touched = s.touched[:0]
	return rows
}

// Apply applies the store's answer, or the loss of the rows.
func (s *Synced) Apply(now int64, rows []SyncRow, lost bool) {
	for i := range rows {
		r := &rows[i]
		k, _ := s.at(r.Key, now)
		if k.start != r.Start || k.flying < r.Added {
			continue // of another window, or from before a restart
		}
		k.flying -= r.Added
		if !lost {
			k.known = max(k.known, r.Total) // a later answer may have arrived first
			continue
		}
		k.fresh += r.Added
		s.touch(r.Key, k)
	}
}

// Forget clears the memory, like a restart.
func (s *Synced) Forget() {
	clear(s.keys)
	s.touched = s.touched[:0]
}

// Totals holds the store's counts of fixed windows.
type Totals struct {
	limit LimitAt
	count []windowCount
	saved []windowCount
}

type windowCount struct{ start, n int64 }

// NewTotals returns counts for keys 0..keys-1.
func NewTotals(limit LimitAt, keys int) *Totals {
	return &Totals{limit: limit, count: make([]windowCount, keys)}
}

// Add counts a row and fills in its total. It ignores rows of a window that is
// over at the store.
func (t *Totals) Add(r *SyncRow) {
	c := &t.count[r.Key]
	if r.Start > c.start {
		*c = windowCount{start: r.Start}
	}
	if r.Start == c.start {
		c.n += r.Added
		r.Total = c.n
	}
}

// Save keeps a copy of all counts for Restore.
func (t *Totals) Save() { t.saved = append(t.saved[:0], t.count...) }

// Restore returns to the counts at the last Save.
func (t *Totals) Restore() { copy(t.count, t.saved) }

// Level returns what the store's window of now can still admit.
func (t *Totals) Level(key int32, now int64) int64 {
	c, limit := t.count[key], t.limit(key, now)
	if now-now%limit.Window > c.start {
		return limit.Count
	}
	return max(0, limit.Count-c.n)
}

// RetryAt returns when the store's window would have room for a request of this
// cost.
func (t *Totals) RetryAt(key int32, now, cost int64) int64 {
	return retryAt(t.limit(key, now), t.Level(key, now), now, cost)
}
