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

// IsQueue reports whether the counter of that name lets requests through later
// (NewQueue makes it) instead of deciding at once (New makes it).
func IsQueue(name string) bool {
	k := find(name)
	return k != nil && k.queue != nil
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
