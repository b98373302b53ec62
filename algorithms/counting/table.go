// Package counting implements the counters of the simulator: fixed windows, sliding
// windows, token buckets, GCRA and others, exact to the last token. A counter limits
// keys that are the numbers 0 to n-1: make a table such as [TokenBuckets], or one by
// its name with [New]. The package reads no clock, starts no goroutine and takes no
// lock. It makes no promise: programs use package counter, which decides by it.
//
// Times are in nanoseconds and must not go backwards for a key; an earlier time counts
// as the latest one seen. Rates are exact fractions and levels count in fractions of a
// token, so no decision is rounded.
package counting

// Verdict is one decision. Bit 0 reports whether the request is admitted, the
// higher bits hold the Cause. The zero Verdict is a rejection by the limiter.
type Verdict uint8

// Cause is the part of a limiter that decided a request.
type Cause uint8

const (
	ByLimiter Cause = iota
	ByLocal
	ByCache
	ByFailOpen
	ByFailClosed
	ByMaxWait
	Causes // the number of causes
)

var causeNames = [Causes]string{"limiter", "local", "cache", "fail-open", "fail-closed", "max-wait"}

func (c Cause) String() string { return causeNames[c] }

// MakeVerdict returns the verdict with this result and cause.
func MakeVerdict(admitted bool, cause Cause) Verdict {
	v := Verdict(cause) << 1
	if admitted {
		v |= 1
	}
	return v
}

// Unanswered returns the verdict on a request that gets no decision: admitted if
// its caller fails open, else rejected.
func Unanswered(failOpen bool) Verdict {
	if failOpen {
		return MakeVerdict(true, ByFailOpen)
	}
	return MakeVerdict(false, ByFailClosed)
}

func (v Verdict) Admitted() bool { return v&1 != 0 }
func (v Verdict) Cause() Cause   { return Cause(v >> 1) }

// Rejected and Admitted are the verdicts of a limiter without other parts.
const (
	Rejected Verdict = 0
	Admitted Verdict = 1
)

// Never is the retry time of a request that will not be admitted, however long
// its caller waits.
const Never = int64(1<<63 - 1)

// Table is a counter for keys 0 to n-1, each with a state of its own. It is not
// safe for concurrent use.
type Table interface {
	// TakeBlock decides len(verdicts) requests in order: request i takes
	// costs[i] tokens from keys[i] at times[i]; times must not decrease. It
	// decides as Take does, without a call per request.
	TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict)
	// Take decides one request.
	Take(key int32, now, cost int64) Verdict
	// Correct changes what a request took at the time taken, now that its cost is
	// known. Above 0, it takes tokens at now even if the limit does not hold them, so
	// that the key is in debt; without debt it takes what is left at most. Below 0,
	// it gives back -tokens, as far as what was taken still counts: into its own
	// window, or up to a full bucket.
	Correct(key int32, now, taken, tokens int64, debt bool)
	// CountsUntil returns the time from which what is taken at a time does not count
	// any more, or Never if it counts until the limit has paid for it.
	CountsUntil(taken int64) int64
	counter
}

// counter is the part that Table and Queue share. It changes nothing.
type counter interface {
	// Level returns how many requests of cost 1 the key would admit at now, one
	// after the other, or 0 or less if it would reject the next one. It is also
	// the largest cost of a single request that it would admit, except for a
	// bucket with debt and a sampled average: if their level is above 0, they
	// admit a request of any cost. A level of -n in debt means that n+1 tokens,
	// rounded up, are missing until a request is admitted. A queue counts the
	// requests that it would not reject, whether or not they wait.
	Level(key int32, now int64) int64
	// RetryAt returns the earliest time, now or later, at which this cost would
	// be admitted if no other request came before, or Never.
	RetryAt(key int32, now, cost int64) int64
	// State returns the key's state as named numbers, for display.
	State(key int32) []StateField
}

// StateField is one named number of a counter's state.
type StateField struct {
	Name  string
	Value int64
}

// Queue is a counter that delays requests instead of rejecting them: it decides
// at once and returns the time at which the request is dispatched.
type Queue interface {
	// Take decides one request. If it is admitted, dispatch is now or later; the
	// requests of a key are dispatched in the order of their arrival.
	Take(key int32, now, cost int64) (v Verdict, dispatch int64)
	counter
}

// Limit is a policy: Count requests per Window nanoseconds, and buckets that
// hold Burst requests. The zero Limit is not valid; see Check.
type Limit struct {
	Count  int64
	Window int64
	Burst  int64
}
