package batchreported

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// EstimateKind is the method by which a server estimates a key's demand per
// second.
type EstimateKind uint8

const (
	PreviousSecond EstimateKind = iota // reported in the last whole calendar second
	TrailingSecond                     // reported in (now-1s, now]
	Ewma                               // a weighted mean of all whole calendar seconds
)

// Estimate is an EstimateKind with its parameter.
type Estimate struct {
	Kind EstimateKind `option:"estimate=previous-second|trailing-second|ewma"`
	// Weight is the weight of the newest whole second in an Ewma: after every
	// calendar second, e = weight*count + (1-weight)*e, starting from e = 0.
	Weight units.Fraction `option:"a"`
}

const (
	second = 1_000_000_000
	// estimateBits is the position of the binary point of an estimate.
	estimateBits = 16
	// maxReported limits the count of one second, so that an estimate fits 62
	// bits.
	maxReported = 1 << (62 - estimateBits)
)

// weightQ32 returns a fraction of 0 to 1 in units of 2^-32, rounded down.
func weightQ32(f units.Fraction) uint64 {
	q, _ := bits.Div64(uint64(f.Num)>>32, uint64(f.Num)<<32, uint64(f.Den))
	return q
}

// estimate is the reported demand for one key.
type estimate struct {
	second int64      // the calendar second that is being counted
	count  int64      // reported in it
	closed uint64     // PreviousSecond, Ewma: the estimate at that second's start, 2^-16
	recent []reported // TrailingSecond: oldest first
	first  int        // TrailingSecond: the first of recent that still counts
}

// reported is the count that arrived at one time.
type reported struct{ at, count int64 }

// clone returns an independent copy.
func (e estimate) clone() estimate {
	e.recent = append([]reported(nil), e.recent[e.first:]...)
	e.first = 0
	return e
}

// add counts n as reported at now.
func (r *Estimate) add(e *estimate, now, n int64) {
	r.roll(e, now)
	n = min(n, maxReported)
	if r.Kind != TrailingSecond {
		e.count = min(e.count+n, maxReported)
		return
	}
	e.count += n
	if n == 0 {
		return
	}
	if last := len(e.recent) - 1; last >= e.first && e.recent[last].at == now {
		e.recent[last].count += n
		return
	}
	if len(e.recent) == cap(e.recent) && e.first > 0 {
		e.recent = e.recent[:copy(e.recent, e.recent[e.first:])]
		e.first = 0
	}
	e.recent = append(e.recent, reported{now, n})
}

// perSecond returns the estimate at now, in units of 2^-16.
func (r *Estimate) perSecond(e *estimate, now int64) uint64 {
	r.roll(e, now)
	if r.Kind == TrailingSecond {
		return counted(e.count)
	}
	return e.closed
}

// roll updates the estimate to now.
func (r *Estimate) roll(e *estimate, now int64) {
	if r.Kind == TrailingSecond {
		for e.first < len(e.recent) && e.recent[e.first].at <= now-second {
			e.count -= e.recent[e.first].count
			e.first++
		}
		return
	}
	passed := now/second - e.second
	if passed <= 0 {
		return
	}
	switch {
	case r.Kind == Ewma:
		e.closed = r.decay(r.fold(e.closed, counted(e.count)), passed-1)
	case passed == 1:
		e.closed = counted(e.count)
	default:
		e.closed = 0
	}
	e.second += passed
	e.count = 0
}

// counted returns a count in units of 2^-16.
func counted(n int64) uint64 { return uint64(min(n, maxReported)) << estimateBits }

// fold returns weight*newest + (1-weight)*before, rounded down.
func (r *Estimate) fold(before, newest uint64) uint64 {
	weight := weightQ32(r.Weight)
	newHi, newLo := bits.Mul64(newest, weight)
	oldHi, oldLo := bits.Mul64(before, 1<<32-weight)
	lo, carry := bits.Add64(newLo, oldLo, 0)
	return (newHi+oldHi+carry)<<32 | lo>>32
}

// decay returns the estimate after n empty seconds: e*(1-weight)^n. It computes
// the power by squaring, in units of 2^-63, and rounds each product down.
func (r *Estimate) decay(e uint64, n int64) uint64 {
	if n <= 0 {
		return e
	}
	times := func(x, y uint64) uint64 {
		hi, lo := bits.Mul64(x, y)
		return hi<<1 | lo>>63
	}
	power := uint64(1) << 63
	for base := (1<<32 - weightQ32(r.Weight)) << 31; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = times(power, base)
		}
		base = times(base, base)
	}
	return times(e, power)
}
