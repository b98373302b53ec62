package measure

import (
	"slices"

	"github.com/limitgauge/limitgauge/sim/results"
)

// keySummary is what follows from the totals of all keys. With a million of them each
// pass over all keys counts, so there is one, when the span is closed.
type keySummary struct {
	sum      keyTotals
	seen     int64 // keys with rows, or with cost that waited when the span began
	busy     int   // keys with traffic
	refused  int   // keys with a rejected request
	limited  int   // keys under which the row or its reference does not admit all demand
	rejected ranking
	offered  ranking
}

func (s *keySummary) add(key int32, t flowTotals, reference int64, hasRows bool) {
	s.sum.add(keyTotals{t.offered, t.admitted, reference})
	if hasRows || t.carried > 0 {
		s.seen++
	}
	if t.offered > 0 || t.admitted > 0 {
		s.busy++
	}
	if t.rejected > 0 {
		s.refused++
	}
	if demand := t.demand(); t.admitted != demand || reference != demand {
		s.limited++
	}
	s.rejected.add(key, t.rejected, results.MaxKeys)
	s.offered.add(key, t.offered, 1)
}

// ranking holds the keys with the largest sizes above 0: largest first, equal ones by
// number.
type ranking []rankedKey

type rankedKey struct {
	key  int32
	size int64
}

// add adds a key with a larger number than those before, and keeps the n largest.
func (r *ranking) add(key int32, size int64, n int) {
	list := *r
	if size <= 0 || len(list) == n && size <= list[n-1].size {
		return
	}
	if len(list) < n {
		list = append(list, rankedKey{})
	}
	i := len(list) - 1
	for ; i > 0 && list[i-1].size < size; i-- {
		list[i] = list[i-1]
	}
	list[i] = rankedKey{key, size}
	*r = list
}

// has reports whether a key is among the largest.
func (r ranking) has(key int32) bool {
	return slices.ContainsFunc(r, func(k rankedKey) bool { return k.key == key })
}

// rank returns the n keys of all policies with the largest sizes. of returns the ranking
// of one policy.
func (r *Recorder) rank(n int, of func(*keySummary) ranking) (keys []int32) {
	var all ranking
	for _, m := range r.windowMeters() {
		for _, k := range of(&m.summary) {
			all.add(m.cfg.From+k.key, k.size, n)
		}
	}
	for _, k := range all {
		keys = append(keys, k.key)
	}
	return keys
}

// MostRejected returns the results.MaxKeys keys with the largest rejected cost above 0: largest
// first, equal ones by number.
func (r *Recorder) MostRejected() []int32 {
	return r.rank(results.MaxKeys, func(s *keySummary) ranking { return s.rejected })
}

// MostOffered returns the key with the largest offered cost, the first of several. It
// reports false if there is no traffic.
func (r *Recorder) MostOffered() (key int32, ok bool) {
	keys := r.rank(1, func(s *keySummary) ranking { return s.offered })
	if len(keys) == 0 {
		return 0, false
	}
	return keys[0], true
}

// KeysRefused returns the number of keys of all policies with rejected cost, and of those
// with traffic.
func (r *Recorder) KeysRefused() (refused, seen int) {
	for _, m := range r.windowMeters() {
		refused += m.summary.refused
		seen += m.summary.busy
	}
	return refused, seen
}

// KeysSeen returns the number of keys with traffic, if there is one policy.
func (r *Recorder) KeysSeen() int { return r.windows.summary.busy }
