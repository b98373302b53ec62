package libraries

import (
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// library is one way of calling the limiter of a library.
type library struct {
	name     string // of its row, as in scenario files
	module   string // module path
	settings string // the Go expression that makes the limiter of a policy
	call     string // the method that decides
	// door says where the limiter gets the time from.
	door door
	// costs is true if one call can take more than one token.
	costs   bool
	promise promise
	// refusal says why the limiter cannot run in virtual time; "" if it can.
	refusal string
	// keyed is true if one limiter serves all keys. If not, each key has a limiter,
	// made when the key is first used.
	keyed bool
	// make returns a gauge.Limiter or, if calls block, a gauge.Waiter.
	make func(gauge.Policy) any
}

// door is how a limiter gets the time.
type door string

const (
	takesNow   door = "`now` is an argument"
	injected   door = "its clock is replaced"
	readsClock door = "reads the clock"
	blocks     door = "reads the clock, blocks"
)

// promise is a sentence of a library's documentation and the exact limiter of it.
type promise struct {
	text string // quoted
	link string
	// also quotes a further place that concerns the difference; "" if there is none.
	also string
	// kind describes the exact limiter that follows from the text.
	kind string
	// exact returns that limiter for keys 0 to keys-1. Time 0 is when the library's
	// limiter is made.
	exact func(p gauge.Policy, keys int) exact
	// countsRefused is true if requests that the limiter refuses count.
	countsRefused bool
}

// exact is a limiter without rounding, for several keys; see counting.Table.
type exact interface {
	Take(key int32, now, cost int64) counting.Verdict
	RetryAt(key int32, now, cost int64) int64
}

// libraries returns all libraries in the order of the page.
func libraries() []library {
	return []library{
		xTimeRate(), xTimeRateWait(),
		uber(), uberWithoutSlack(),
		jujuTake(), jujuWait(),
		sethvargo(),
		throttledGCRA(), throttledWithoutBurst(),
		ululeMemory(),
		failsafeSmooth(), failsafeBursty(), failsafeBurstyWait(),
		chiHTTPRate(),
		russellLuo(),
		cockroach(),
		tollboothKeys(),
		echoMemoryStore(),
	}
}

// limitOf returns the policy as a limit of package counting.
func limitOf(p gauge.Policy) counting.Limit {
	return counting.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}
}

// fullBuckets returns token buckets of the policy's burst that start full.
func fullBuckets(p gauge.Policy, keys int) exact {
	return counting.NewTokenBuckets(limitOf(p), counting.TokenBucketOptions{Burst: p.Burst}, keys)
}

// spaced returns buckets of one token: requests are at least window/limit apart.
func spaced(p gauge.Policy, keys int) exact {
	return counting.NewTokenBuckets(limitOf(p), counting.TokenBucketOptions{Burst: 1}, keys)
}

// windowsFromFirstUse returns fixed windows, of which the first begins at the first
// request of the key.
func windowsFromFirstUse(p gauge.Policy, keys int) exact {
	table := counting.NewFixedWindows(limitOf(p), counting.WindowOptions{}, keys)
	return &fromFirstUse{table, make(map[int32]int64)}
}

// fromFirstUse is a limiter whose time 0 is the first request of the key.
type fromFirstUse struct {
	limiter exact
	startNs map[int32]int64
}

func (f *fromFirstUse) RetryAt(key int32, now, cost int64) int64 {
	start, used := f.startNs[key]
	if !used {
		start = now
	}
	if at := f.limiter.RetryAt(key, now-start, cost); at != counting.Never {
		return start + at
	}
	return counting.Never
}

func (f *fromFirstUse) Take(key int32, now, cost int64) counting.Verdict {
	if _, used := f.startNs[key]; !used {
		f.startNs[key] = now
	}
	return f.limiter.Take(key, now-f.startNs[key], cost)
}

// must returns v. It panics on an error: the policies are this package's own.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// settable is a clock that Take sets before each call.
type settable struct{ now time.Time }

func (c *settable) Now() time.Time { return c.now }
