package patterns

import (
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// spaced computes arrival i of a constant rate at floor(start + i*p/n). It
// carries the remainder from one arrival to the next, so it stays exact.
type spaced struct {
	at   int64 // the next arrival, rounded down
	rest int64 // of a nanosecond, in 1/n ns, in addition to at
	rate exactRate
}

func newSpaced(start int64, r exactRate) spaced { return spaced{at: start, rate: r} }

// fill writes arrivals before end, with a single division.
func (s *spaced) fill(_ *random.Stream, times []int64, end int64) int {
	n := s.rate.n
	if n == 0 {
		return 0
	}
	step, part := s.rate.p/n, s.rate.p%n
	at, rest := s.at, s.rest
	i := 0
	for ; i < len(times) && at < end; i++ {
		times[i] = at
		at += step
		rest += part
		if rest >= n {
			rest -= n
			at++
		}
	}
	s.at, s.rest = at, rest
	return i
}

// skip passes over the arrivals before a time.
func (s *spaced) skip(to int64) {
	if s.at >= to || s.rate.n == 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(to-s.at), uint64(s.rate.n))
	lo, borrow := bits.Sub64(lo, uint64(s.rest), 0)
	past := int64(bits.Rem64(hi-borrow, lo, uint64(s.rate.p))) // the last one, in 1/n ns before the time
	left := (s.rate.p - past) % s.rate.p
	s.at, s.rest = to+left/s.rate.n, left%s.rate.n
}

// never is later than every time.
const never int64 = 1<<63 - 1

// jittered places arrival i of a constant rate at random in its own slot [start
// + i*p/n, start + (i+1)*p/n). Each time in the slot has the same probability.
type jittered struct {
	slot spaced
	next int64 // the next arrival
}

// newJittered starts with the first arrival from a time on. The time is in the first
// slot.
func newJittered(draws *random.Stream, slot spaced, from int64) jittered {
	j := jittered{slot: slot, next: math.MinInt64}
	var none [1]int64
	for j.next < from && slot.rate.n > 0 { // draws the first arrival, and another if that is too early
		j.fill(draws, none[:], never)
	}
	return j
}

// fill writes arrivals before end. It draws each one when it writes the one
// before, with a single division for the slot and with its state in registers.
func (j *jittered) fill(draws *random.Stream, times []int64, end int64) int {
	n, p := j.slot.rate.n, j.slot.rate.p
	if n == 0 {
		return 0
	}
	step, part := p/n, p%n
	at, rest, next, stream := j.slot.at, j.slot.rest, j.next, *draws
	i := 0
	for ; i < len(times) && next < end; i++ {
		times[i] = next
		// floor((rest + u*p)/n) for a u of [0, 1): the fraction of u*p cannot
		// change the quotient.
		into, _ := bits.Mul64(stream.Uint64(), uint64(p))
		next = at + int64((uint64(rest)+into)/uint64(n))
		at += step
		rest += part
		if rest >= n {
			rest -= n
			at++
		}
	}
	j.slot.at, j.slot.rest, j.next, *draws = at, rest, next, stream
	return i
}
