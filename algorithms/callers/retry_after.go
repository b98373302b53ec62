package callers

import "github.com/limitgauge/limitgauge/algorithms/integers"

// RetryAfter is a wait for the time that a limiter names, as the header Retry-After does
// (RFC 9110, 10.2.3). go-retryablehttp v0.7.8 and anthropic-sdk-go v1.84 honour any
// length; openai-go v3.98 gives up above 120 s.
type RetryAfter struct {
	Spread       int64    // ns; a uniform draw of 0..Spread is added, after all else
	Longest      int64    // ns; 0 for any length
	GiveUp       bool     // there is no retry beyond Longest; otherwise the wait is cut to it
	WholeSeconds bool     // the limiter names whole seconds, rounded up
	Otherwise    *Backoff // where the limiter names no time; nil: there is no retry
}

const second = int64(1e9) // ns

// Wait returns the wait in ns before retry k+1, and whether there is a retry. named is how
// long the limiter says to wait, in ns from 0 on, or Never if it does not say. last and
// below are those of a Backoff.
func (r *RetryAfter) Wait(named int64, k int, last int64, below Below) (wait int64, again bool) {
	if named == Never {
		if r.Otherwise == nil {
			return 0, false
		}
		return r.Otherwise.Wait(k, last, below), true
	}
	if r.WholeSeconds {
		named = integers.Mul(integers.CeilDiv(named, second), second, Never)
	}
	if r.Longest > 0 && named > r.Longest {
		if r.GiveUp {
			return 0, false
		}
		named = r.Longest
	}
	return integers.Add(named, between(0, r.Spread, below)), true
}

// Random reports whether waits are drawn.
func (r *RetryAfter) Random() bool {
	return r.Spread > 0 || r.Otherwise != nil && r.Otherwise.Random()
}
