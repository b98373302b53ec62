// Package counter limits requests in a program: token buckets and windows that decide
// exactly as the limiters of those names do in a simulation. [New] makes a counter for
// one key, [NewKeyed] one for many, which forgets keys that are idle and is safe for
// concurrent use. The time is an argument; the package reads no clock and starts no
// goroutine.
//
// # Time
//
// Times are those of a wall clock, such as time.Now(), with nanoseconds. Calendar windows
// begin at multiples of their length since 1970, in UTC. A time before the latest one that
// a key has seen counts as that, so a clock that is set back refills nothing until it has
// caught up. For a clock that is never set, pass start.Add(time.Since(start)). Times
// outside 1970 to 2242 count as the nearest of them.
//
// # Costs
//
// A request has a cost, most often 1. Cost 0 is always admitted and changes nothing, a
// negative cost never is. A cost that the limit can never hold is rejected.
//
// # Exactness
//
// Rates are exact fractions and levels count in fractions of a token, so that no decision
// is rounded. Tests compare the counters with models in exact fractions.
//
// # Compatibility
//
// The package stays compatible within a major version, with packages
// [github.com/limitgauge/limitgauge/algorithms/rover], gauge, live and cmd. All other
// packages of this module promise nothing.
package counter

import (
	"cmp"
	"fmt"
	"reflect"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Limit is a policy: Count requests, or a cost of Count, per Window. A TokenBucket is exact
// up to a Burst of 2^62/P, where N/P is Count/Window, in ns and lowest terms: 53,375 at
// 1,000,003 a day, and 5*10^10 at 1,000,000 a day. Beyond it New returns an error.
type Limit struct {
	Count  int64         // 1 to 2^60
	Window time.Duration // 1 ns to 2^60 ns, which is 36 years
	Burst  int64         // depth of a bucket in requests; 0 means Count. Windows and the log have none and ignore it.
}

// limit returns the limit as tables take it.
func (l Limit) limit() counting.Limit {
	return counting.Limit{Count: l.Count, Window: int64(l.Window), Burst: cmp.Or(l.Burst, l.Count)}
}

// Counter limits one key. Make one with [New]; the zero Counter panics with a message. It
// is not safe for concurrent use: guard it with a mutex, or use a [Keyed] or package rover.
type Counter struct{ table table }

// New returns a counter that has admitted nothing yet. It returns an error if the
// algorithm cannot keep the limit exactly, such as a limit of 0 requests.
func New(limit Limit, algorithm Algorithm) (*Counter, error) {
	t, err := tableOf(limit, algorithm, 1)
	if err != nil {
		return nil, err
	}
	return &Counter{t}, nil
}

func (c *Counter) made() table {
	if c.table == nil {
		panic("counter: a Counter is made with New")
	}
	return c.table
}

// Take reports whether a request of this cost is admitted at now, and counts it if so.
func (c *Counter) Take(now time.Time, cost int64) bool {
	return take(c.made(), 0, nanoseconds(now), cost)
}

// Level returns how many requests of cost 1 would be admitted at now, one after the
// other; 0 or less if the next one would be rejected. It changes nothing.
func (c *Counter) Level(now time.Time) int64 { return c.made().Level(0, nanoseconds(now)) }

// RetryAfter returns the time from now until a request of this cost would be admitted if
// no other came before: 0 if it would be now, negative if it never would. It changes
// nothing. Round it up for a Retry-After header, which has whole seconds.
func (c *Counter) RetryAfter(now time.Time, cost int64) time.Duration {
	return retryAfter(c.made(), 0, nanoseconds(now), cost)
}

func take(t table, key int32, now, cost int64) bool {
	return cost > 0 && t.Take(key, now, cost).Admitted() || cost == 0
}

// never is what RetryAfter returns for a request that is never admitted.
const never = time.Duration(-1)

func retryAfter(t table, key int32, now, cost int64) time.Duration {
	if cost < 0 {
		return never
	}
	at := t.RetryAt(key, now, cost)
	if at == counting.Never {
		return never
	}
	return time.Duration(at - now)
}

// latest is the last second that counters take: of 2242, so that spans of decades can be
// added.
const latest = int64(1) << 33

// nanoseconds returns a time in ns since 1970, cut to 0 to latest.
func nanoseconds(t time.Time) int64 {
	s := t.Unix()
	switch {
	case s < 0:
		return 0
	case s >= latest:
		return latest * int64(time.Second)
	}
	return s*int64(time.Second) + int64(t.Nanosecond())
}

// tableOf returns a table of an algorithm.
func tableOf(limit Limit, algorithm Algorithm, keys int) (table, error) {
	if v := reflect.ValueOf(algorithm); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("counter: no algorithm: want a TokenBucket, a FixedWindow or another one")
	}
	t, err := algorithm.table(limit.limit(), keys)
	if err != nil {
		return nil, fmt.Errorf("counter: %w", err)
	}
	return t, nil
}
