package counter

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// kind is one counter as its file declares it: what it is, and how to make a
// table of it, or of queues.
type kind struct {
	entry catalog.Entry
	table func(limit Limit, options catalog.Values, keys int) (Table, error)
	queue func(limit Limit, options catalog.Values, keys int) (Queue, error)
	// changing makes what puts such a table under another of the limits given;
	// nil where its limit cannot change while it runs.
	changing func(table any, limits []Limit, options catalog.Values) (setLimit, error)
	// rational is true if the counter works at any rational rate without
	// rounding, so that a limit can be divided exactly.
	rational bool
	// largest returns the largest cost that the counter admits in one request,
	// and whether there is one. If it is nil, none is stated.
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

// Entries declares the counters for the catalogue, in the order of `list`.
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

// IsQueue reports whether the named counter delays requests (NewQueue makes it)
// instead of deciding at once (New makes it).
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

// New makes the named counter over keys 0..keys-1. Options absent from the
// values take the entry's defaults.
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

// NewQueue is New for the counters that delay.
func NewQueue(name string, limit Limit, options catalog.Values, keys int) (Queue, error) {
	k := find(name)
	switch {
	case k == nil:
		return nil, fmt.Errorf("unknown counter %q", name)
	case k.queue == nil:
		return nil, fmt.Errorf("counter %q decides at once: it is no queue", name)
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
