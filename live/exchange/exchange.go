// Package exchange declares what passes between limitgauge and a real limiter: a
// request as it was planned, what the limiter answered, and when. It sends nothing.
//
// Times are nanoseconds of one monotonic clock, counted from the start of the run.
//
// The package makes no promise: it can change at any time.
package exchange

import "context"

// Request is one request as it is planned.
type Request struct {
	Number     int64 // from 0, in the order of IntendedNs
	IntendedNs int64
	Key        string
	Tenant     string
	Client     int32 // which connection, replica or source it comes from, from 0
	Try        int32 // how often its caller sent it before
	Cost       int64 // tokens
}

// Verdict is what became of a request.
type Verdict uint8

const (
	NotSent  Verdict = iota // held back by a cap or by the end of the run, or without a connection
	Admitted                // the limiter let it pass
	Rejected                // the limiter refused it
	Failed                  // sent without a verdict, such as after a time-out: the limiter may have admitted it
)

// Unstated is the value of a number that a limiter did not state.
const Unstated = int64(-1)

// Answer is what a limiter answered to one request.
type Answer struct {
	Admit  bool
	WaitNs int64 // of an admitted request: from the answer to its dispatch, 0 or more

	// RetryAfterNs is the wait that the limiter promises to be enough, and
	// RetryUnitNs the unit in which it states it: a second for the header
	// Retry-After. Remaining is what it says is left of the limit, and ResetNs the time
	// until its window or bucket is as at the start. Each can be Unstated.
	RetryAfterNs, RetryUnitNs, Remaining, ResetNs int64
	// StatedLimit is the limit that it says it keeps, such as in RateLimit-Policy, and
	// StatedWindowNs the time in which it holds. Each can be Unstated.
	StatedLimit, StatedWindowNs int64

	// Presumed says that the limiter gave no verdict and that Admit is what its caller
	// does then, such as a gateway that lets requests pass after a time-out.
	Presumed bool
	// Retries is how often the limiter's transaction was repeated inside this request,
	// because others got in its way and it had no effect. It also holds for a request
	// without a verdict.
	Retries int64
}

// Plain returns the Answer of a limiter that states nothing but its verdict.
func Plain(admit bool) Answer {
	return Answer{Admit: admit, RetryAfterNs: Unstated, RetryUnitNs: Unstated, Remaining: Unstated, ResetNs: Unstated, StatedLimit: Unstated, StatedWindowNs: Unstated}
}

// Exchange is one request with its answer. SentNs and AnsweredNs are Unstated if it
// was not sent; AnsweredNs of a Failed one is the time at which its sender gave up.
type Exchange struct {
	Request
	Answer
	SentNs     int64 // just before the first byte was handed to the system
	AnsweredNs int64 // just after the verdict was read
	Verdict    Verdict
	Failure    string // of a Failed one: its class in a few words, such as "timeout", "connection refused", "status 500"; of one that was NotSent: why
}

// Target is a real limiter. Its methods may be called concurrently.
type Target interface {
	// Ask sends one request once and waits for the verdict. It returns an error if
	// there is none; the error's text is the class of the failure, without addresses
	// or keys. It must return when ctx ends. Of the Answer with an error, Retries alone
	// is valid.
	Ask(ctx context.Context, r *Request) (Answer, error)
	// Close releases connections and ends processes.
	Close() error
}

// Clock is a Target whose clock can be read.
type Clock interface {
	Target
	// Now returns the time of the target's clock, which it read between the call and
	// the return, in nanoseconds since 1970.
	Now(ctx context.Context) (unixNs int64, err error)
}
