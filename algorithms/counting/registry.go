package counting

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// kind declares one counter: its entry in the catalog and its constructor. The
// file of the counter holds its kind.
type kind struct {
	entry    catalog.Entry
	keyBytes int64 // that make allocates for each key
	// make returns a Table or, if the entry queues, a Queue.
	make func(limit Limit, options catalog.Values, keys int) (any, error)
	// changing returns the function that puts such a counter under one of the limits.
	changing func(counter any, limits []Limit, options catalog.Values) (setLimit, error)
	// waiting returns the bound on waiting in a queue, or nil if no request waits.
	// It is nil for a Table.
	waiting func(limit Limit, options catalog.Values) *Waiting
	// worst returns the least upper bound that WorstExcess returns. It is nil if the
	// counter has no closed form.
	worst func(limit Limit, options catalog.Values) catalog.Predicted
	// refills is true if the counter is a bucket that refills continuously. It
	// then works at any rational rate without rounding, so that a limit can be
	// divided exactly, and admits no cost above its depth unless it has debt.
	refills bool
	// calendar is true if what is left depends on the time of the calendar, as with
	// windows that begin at its multiples.
	calendar bool
	// loose is true if what is left depends on more than the times and costs of what was
	// admitted.
	loose bool
}

var kinds = []kind{
	fixedWindowKind,
	firstHitWindowKind,
	slidingLogKind,
	slidingCounterKind,
	haproxyRateKind,
	tokenBucketKind,
	gcraKind,
	leakyBucketKind,
	nginxLimitReqKind,
	traefikBucketKind,
	timerBucketKind,
	segmentedWindowKind,
	sampledAverageKind,
	sqlTokenBucketKind,
}

// optionsOf reads the options of a counter that do not depend on its limit from bound
// fields.
func optionsOf[O any](_ Limit, v catalog.Values) (o O) {
	v.Read(&o)
	return o
}

// makerOf returns kind.make from the function that reads a counter's options and the
// one that makes the counter.
func makerOf[O interface{ Check(Limit) error }, T counter](read func(Limit, catalog.Values) O, make func(Limit, O, int) T) func(Limit, catalog.Values, int) (any, error) {
	return func(limit Limit, v catalog.Values, keys int) (any, error) {
		o := read(limit, v)
		if err := o.Check(limit); err != nil {
			return nil, err
		}
		return make(limit, o, keys), nil
	}
}

// Entries returns the catalog entries of the counters, in the order in which
// `limitgauge list` shows them.
func Entries() []catalog.Entry {
	return lists.Map(kinds, func(k kind) catalog.Entry { return k.entry })
}

// Deciding returns the names of the counters that decide at once, without a
// queue.
func Deciding() []string {
	return catalog.Names(lists.Where(Entries(), func(e catalog.Entry) bool { return !e.Queues }))
}

// IsQueue reports whether the counter of that name delays requests. NewQueue
// makes such a counter; New makes all others.
func IsQueue(name string) bool { return find(name).entry.Queues }

// WaitingOf returns the bound on waiting in the named counter, or nil if it
// decides and dispatches every request on arrival.
func WaitingOf(name string, limit Limit, options catalog.Values) *Waiting {
	if k := find(name); k.waiting != nil {
		return k.waiting(limit, options)
	}
	return nil
}

// RationalRate reports whether the named counter works at any rational rate
// without rounding. An exact part of a limit is then the same count in a
// longer window.
func RationalRate(name string) bool { return find(name).refills }

// SumsAdmitted reports whether what the named counter has left depends on the times and
// costs of what it admitted alone: not on rejected requests, nor on which request began a
// window.
func SumsAdmitted(name string, options catalog.Values) bool {
	return !find(name).loose && !options.Bool("count_rejected") && options.Duration("block") == 0
}

// OnCalendar reports whether the named counter decides otherwise if all times are moved by
// the same amount, because its windows begin at multiples of their length.
func OnCalendar(name string) bool { return find(name).calendar }

// KeyBytes returns the memory in bytes that the named counter allocates for each key at
// its start, and whether there is such a counter. State that grows with the requests is
// not included.
func KeyBytes(name string) (bytes int64, ok bool) {
	k := find(name)
	return k.keyBytes, k.make != nil
}

// LargestCost returns the largest cost that the named counter ever admits in one
// request, and whether the counter states one.
func LargestCost(name string, limit Limit, options catalog.Values) (cost int64, bounded bool) {
	if !find(name).refills {
		return 0, false
	}
	return burstOf(limit, options), !options.Bool("debt")
}

// New returns the named counter for keys 0 to keys-1. Options that are not set
// have the defaults of the counter's entry. It returns an error if the name is
// unknown or names a queue, or if the options do not fit the limit.
func New(name string, limit Limit, options catalog.Values, keys int) (Table, error) {
	return NewChanging(name, limit, nil, options, keys)
}

// NewAtOnce is New, and also knows a leaky bucket with nodelay: it admits what a token
// bucket does that holds one request more than its burst.
func NewAtOnce(name string, limit Limit, options catalog.Values, keys int) (Table, error) {
	switch leaky := leakyBucketKind.entry.Name; {
	case name == leaky && options.Bool("nodelay"):
		o := LeakyBucketOptionsOf(limit, options)
		if err := o.Check(limit); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return New(tokenBucketKind.entry.Name, limit.withBurst(o.Burst+1), nil, keys)
	case IsQueue(name):
		return nil, fmt.Errorf("counter %q delays requests: of the queues, only %s with nodelay=true is compared with a limiter that decides on arrival", name, leaky)
	}
	return New(name, limit, options, keys)
}

// NewQueue is New for counters that delay requests.
func NewQueue(name string, limit Limit, options catalog.Values, keys int) (Queue, error) {
	return NewChangingQueue(name, limit, nil, options, keys)
}

// NewWaiting returns the counter of a limiter that waits: a queue, or a token bucket in
// which requests wait for their tokens. Both reject requests that would wait longer than
// a time in ns or Never. It returns an error for a counter in which nothing waits.
func NewWaiting(name string, limit Limit, options catalog.Values, longest int64, keys int) (Queue, error) {
	if name == tokenBucketKind.entry.Name {
		return NewShaper(limit, nil, Waiting{Time: longest}, keys)
	}
	queue, err := NewQueue(name, limit, options, keys)
	if err != nil || longest == Never {
		return queue, err
	}
	return &boundedQueue{queue.(restorable), longest}, nil
}

// build returns the named counter as a Table or a Queue, and the schedule of the
// changes of its limit. The schedule is nil if there are none.
func build[T counter](name string, limit Limit, changes []Change, options catalog.Values, keys int) (t T, s *schedule, err error) {
	k := find(name)
	if k.make == nil {
		return t, nil, fmt.Errorf("unknown counter %q", name)
	}
	options = catalog.WithDefaults(k.entry.Fields, options)
	made, err := k.make(limit, options, keys)
	if err != nil {
		return t, nil, fmt.Errorf("%s: %w", name, err)
	}
	wrapped := made
	if options.Set("block") {
		wrapped = newBlocking(made.(forgetting), options.Duration("block"), keys)
	}
	t, fits := wrapped.(T)
	switch {
	case !fits && k.entry.Queues:
		return t, nil, fmt.Errorf("counter %q is a queue: it delays requests and decides no blocks", name)
	case !fits:
		return t, nil, fmt.Errorf("counter %q decides at once: it is not a queue", name)
	case len(changes) > 0:
		if s, err = newSchedule(k, made, limit, changes, options); err != nil {
			return t, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return t, s, nil
}

// find returns the kind of that name, or one without members if there is none.
func find(name string) *kind {
	for i := range kinds {
		if kinds[i].entry.Name == name {
			return &kinds[i]
		}
	}
	return &kind{}
}
