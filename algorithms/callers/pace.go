package callers

import (
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Pace is a limit that callers set themselves: a bucket that is full at first and goes into
// debt. A call is charged at once and waits until the debt is paid, so calls pass in the
// order in which they ask; one may cost more than the burst. It is rate.reserveN of
// golang.org/x/time v0.16.0 and the flow control of k8s.io/client-go v0.32.0, without
// their floats. Of two limits both are charged, and the longer wait counts. Time must not
// go back.
//
// Its state is the time at which the bucket is, or was, empty: whole ns and a rest in parts
// of one ns. So a debt is as exact as a level, however large it is.
type Pace struct {
	parts    uint64 // of a ns
	per      uint64 // parts for one token
	empty    int64  // ns
	rest     uint64 // below parts
	full     int64  // ns from empty to full
	fullRest uint64
}

// NewPace returns a full bucket of burst tokens, from 0 on, that gains count tokens, at
// least 1, per this number of ns, at least 1. It panics if one is outside its range. A burst
// is cut at what arrives in 292 years.
func NewPace(count, per, burst int64) *Pace {
	if count < 1 || per < 1 || burst < 0 {
		panic("callers: a field of a pace is outside its range")
	}
	common := integers.GCD(count, per)
	p := &Pace{parts: uint64(count / common), per: uint64(per / common), empty: math.MinInt64}
	p.full, p.fullRest = p.time(burst)
	return p
}

// Reserve takes n tokens at now, both from 0 on, and returns the ns until the bucket has
// paid for them, 0 if it holds them, rounded up.
func (p *Pace) Reserve(now, n int64) (wait int64) {
	full, rest := now-p.full, uint64(0) // when a bucket that is full now was empty
	if p.fullRest > 0 {
		full, rest = full-1, p.parts-p.fullRest
	}
	if p.empty < full || p.empty == full && p.rest < rest {
		p.empty, p.rest = full, rest
	}
	span, more := p.time(n)
	if p.rest += more; p.rest >= p.parts {
		p.rest -= p.parts
		span = integers.Add(span, 1)
	}
	p.empty += min(span, math.MaxInt64-max(p.empty, 0))
	if wait = p.empty - now; p.rest > 0 && wait >= 0 {
		wait = integers.Add(wait, 1)
	}
	return max(wait, 0)
}

// time returns the time in which n tokens arrive: whole ns, cut at the largest, and a rest.
func (p *Pace) time(n int64) (ns int64, rest uint64) {
	hi, lo := bits.Mul64(uint64(n), p.per)
	if hi < p.parts {
		if whole, rest := bits.Div64(hi, lo, p.parts); whole <= math.MaxInt64 {
			return int64(whole), rest
		}
	}
	return math.MaxInt64, 0
}
