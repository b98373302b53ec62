package gauge

import (
	"context"
	"time"
)

// Limiter decides on requests when they arrive.
type Limiter interface {
	// Take reports whether a request of this key and cost is admitted at now. Times
	// do not decrease. The cost is 1 or more. If virtual time passes during a call,
	// such as that of a store's round trip, calls overlap, so that Take must be safe for
	// concurrent use, and a decision counts when the call returns.
	Take(now time.Time, key string, cost int64) bool
}

// Func is a function that is a Limiter.
type Func func(now time.Time, key string, cost int64) bool

// Take calls f.
func (f Func) Take(now time.Time, key string, cost int64) bool { return f(now, key, cost) }

// Reserver decides on arrival how long a request must wait.
type Reserver interface {
	// Reserve returns the time from now until the request may go, and whether it may
	// go at all. A delay below 0 counts as 0.
	Reserve(now time.Time, key string, cost int64) (delay time.Duration, ok bool)
}

// ReserveFunc is a function that is a Reserver.
type ReserveFunc func(now time.Time, key string, cost int64) (delay time.Duration, ok bool)

// Reserve calls f.
func (f ReserveFunc) Reserve(now time.Time, key string, cost int64) (delay time.Duration, ok bool) {
	return f(now, key, cost)
}

// Waiter blocks the caller until its request may go. It runs in a bubble, each call
// in a goroutine of its own.
type Waiter interface {
	// Wait returns nil when the request may go, and an error if it may not. ctx ends
	// after the row's MaxWait and at the end of the trial.
	Wait(ctx context.Context, key string, cost int64) error
}

// WaitFunc is a function that is a Waiter.
type WaitFunc func(ctx context.Context, key string, cost int64) error

// Wait calls f.
func (f WaitFunc) Wait(ctx context.Context, key string, cost int64) error { return f(ctx, key, cost) }

// Acquirer limits the requests in flight. It needs a scenario with a guard, whose answers
// end them.
type Acquirer interface {
	// Acquire reports whether a request of this key may be sent at now. If so, release
	// is called once, at the time of its answer, unless the run ends before: good is false
	// if the answer is late or an error. No virtual time may pass in either call. An
	// Acquirer that also has a method Limit() int tells its present limit, from 0 to 1e6,
	// which tables and pictures show.
	Acquire(now time.Time, key string) (release func(now time.Time, good bool), ok bool)
}

// AcquireFunc is a function that is an Acquirer.
type AcquireFunc func(now time.Time, key string) (release func(now time.Time, good bool), ok bool)

// Acquire calls f.
func (f AcquireFunc) Acquire(now time.Time, key string) (release func(now time.Time, good bool), ok bool) {
	return f(now, key)
}

// RetryAfterer is a limiter that knows when a request would be admitted. Lists of
// decisions show the time, and callers can retry after it (backoff: retry-after).
type RetryAfterer interface {
	// RetryAfter returns the time from now until the key would admit a request of
	// this cost, or a negative time if it never would. It changes nothing.
	RetryAfter(now time.Time, key string, cost int64) time.Duration
}

// Leveler is a limiter that also knows how much it would admit. Lists of decisions
// show the level.
type Leveler interface {
	RetryAfterer
	// Level returns how many requests of cost 1 the key would admit at now. It
	// changes nothing.
	Level(now time.Time, key string) int64
}
