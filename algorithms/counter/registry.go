package counter

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// kind declares one counter: its entry in the catalogue and the constructor of
// its table or of its queue. The file of the counter holds its kind.
type kind struct {
	entry catalog.Entry
	table func(limit Limit, options catalog.Values, keys int) (Table, error)
	queue func(limit Limit, options catalog.Values, keys int) (Queue, error)
	// changing returns the function that puts such a table under another one of
	// the limits. It is nil if the counter's limit cannot change during a run.
	changing func(table any, limits []Limit, options catalog.Values) (setLimit, error)
	// rational is true if the counter works at any rational rate without
	// rounding, so that a limit can be divided exactly.
	rational bool
	// largest returns the largest cost that the counter admits in one request,
	// and whether there is one. If it is nil, there is none.
	largest func(limit Limit, options catalog.Values) (cost int64, bounded bool)
}

var kinds = []kind{
	fixedWindowKind,
	slidingLogKind,
	slidingCounterKind,
	tokenBucketKind,
	gcraKind,
	leakyBucketKind,
	timerBucketKind,
	sampledAverageKind,
	sqlTokenBucketKind,
}

// tableOf returns the constructor of a kind's table from the function that reads
// its options and the one that makes the table.
func tableOf[O interface{ Check(Limit) error }, T Table](read func(Limit, catalog.Values) O, make func(Limit, O, int) T) func(Limit, catalog.Values, int) (Table, error) {
	return func(limit Limit, v catalog.Values, keys int) (Table, error) {
		o := read(limit, v)
		if err := o.Check(limit); err != nil {
			return nil, err
		}
		return make(limit, o, keys), nil
	}
}

// Entries returns the catalogue entries of the counters, in the order in which
// `limitgauge list` shows them.
func Entries() []catalog.Entry {
	entries := make([]catalog.Entry, len(kinds))
	for i := range kinds {
		entries[i] = kinds[i].entry
	}
	return entries
}

// Deciding returns the names of the counters that decide at once, without a
// queue.
func Deciding() []string {
	var names []string
	for i := range kinds {
		if kinds[i].queue == nil {
			names = append(names, kinds[i].entry.Name)
		}
	}
	return names
}

// IsQueue reports whether the counter of that name delays requests. NewQueue
// makes such a counter; New makes all others.
func IsQueue(name string) bool {
	k := find(name)
	return k != nil && k.queue != nil
}

// RationalRate reports whether the named counter works at any rational rate
// without rounding. An exact part of a limit is then the same count in a
// longer window.
func RationalRate(name string) bool {
	k := find(name)
	return k != nil && k.rational
}

// LargestCost returns the largest cost that the named counter ever admits in one
// request, and whether the counter states one.
func LargestCost(name string, limit Limit, options catalog.Values) (cost int64, bounded bool) {
	k := find(name)
	if k == nil || k.largest == nil {
		return 0, false
	}
	return k.largest(limit, options)
}

// New returns the named counter for keys 0 to keys-1. Options that are not set
// have the defaults of the counter's entry. It returns an error if the name is
// unknown or names a queue, or if the options do not fit the limit.
func New(name string, limit Limit, options catalog.Values, keys int) (Table, error) {
	k := find(name)
	switch {
	case k == nil:
		return nil, fmt.Errorf("unknown counter %q", name)
	case k.table == nil:
		return nil, fmt.Errorf("counter %q is a queue: it delays requests and decides no blocks", name)
	}
	t, err := k.table(limit, options, keys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// NewQueue is New for counters that delay requests.
func NewQueue(name string, limit Limit, options catalog.Values, keys int) (Queue, error) {
	k := find(name)
	switch {
	case k == nil:
		return nil, fmt.Errorf("unknown counter %q", name)
	case k.queue == nil:
		return nil, fmt.Errorf("counter %q decides at once: it is not a queue", name)
	}
	q, err := k.queue(limit, options, keys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return q, nil
}

func find(name string) *kind {
	for i := range kinds {
		if kinds[i].entry.Name == name {
			return &kinds[i]
		}
	}
	return nil
}
