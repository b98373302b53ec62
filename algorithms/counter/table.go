// Package counter holds the arithmetic of rate limiting: for each limiter a
// small value type that decides one request at a time, and a table of the same
// limiter over many keys that decides a block of requests in one call.
//
// Nothing here reads a clock: now is always an argument, in integer
// nanoseconds, and must not go backwards for a key by itself (an earlier now
// is treated as the latest one seen). Rates are exact fractions and levels
// count in fractions of a token, so no decision ever rounds.
package counter

// Verdict is one decision: bit 0 says whether the request is let through, the
// bits above it say who decided. The zero Verdict is "rejected by the limiter".
type Verdict uint8

// Cause says which part of a limiter decided.
type Cause uint8

const (
	ByLimiter Cause = iota
	ByLocal
	ByCache
	ByFailOpen
	ByFailClosed
	ByMaxWait
	Causes // how many there are
)

var causeNames = [Causes]string{"limiter", "local", "cache", "fail-open", "fail-closed", "max-wait"}

func (c Cause) String() string { return causeNames[c] }

// MakeVerdict packs a decision.
func MakeVerdict(admitted bool, cause Cause) Verdict {
	v := Verdict(cause) << 1
	if admitted {
		v |= 1
	}
	return v
}

func (v Verdict) Admitted() bool { return v&1 != 0 }
func (v Verdict) Cause() Cause   { return Cause(v >> 1) }

// Admitted and Rejected are the verdicts of a plain limiter.
const (
	Rejected Verdict = 0
	Admitted Verdict = 1
)

// Never is the retry time of a request that no wait would let through.
const Never = int64(1<<63 - 1)

// Table is one kind of counter over keys 0..n-1, each with a state of its own.
type Table interface {
	// TakeBlock decides len(verdicts) requests in order: request i asks
	// costs[i] tokens of keys[i] at times[i] (not decreasing). It is the same
	// arithmetic as Take, in a loop over concrete state.
	TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict)
	// Take decides one request.
	Take(key int32, now, cost int64) Verdict
	// Level is what the key could admit at now, in whole tokens rounded down
	// (negative while in debt), without changing anything.
	Level(key int32, now int64) int64
	// RetryAt is the earliest instant, not before now, at which a request of
	// this cost would be admitted if nothing else were asked, or Never.
	RetryAt(key int32, now, cost int64) int64
	// State is the key's state by name, for people: `limitgauge step`.
	State(key int32) []StateField
}

// StateField is one named number of a counter's state.
type StateField struct {
	Name  string
	Value int64
}

// Queue is a counter that lets requests through later instead of refusing
// them: the verdict falls at once and says when the request is dispatched.
type Queue interface {
	// Take decides one request; dispatch is now or later when it is admitted,
	// first in, first out for each key.
	Take(key int32, now, cost int64) (v Verdict, dispatch int64)
	Level(key int32, now int64) int64
	RetryAt(key int32, now, cost int64) int64
	State(key int32) []StateField
}

// Limit is a policy in plain numbers: Count requests per Window nanoseconds,
// and buckets that hold Burst requests.
type Limit struct {
	Count  int64
	Window int64
	Burst  int64
}
