package trace

import (
	"math"
	"math/bits"
	"slices"
)

// replay applies what the options do to time and number: shift, loop, speed,
// copies, in that order.
func (r *Recording) replay(o *Options) error {
	repeat, copies := max(1, o.Repeat), max(1, o.Copies)
	if rows := len(r.Time); repeat > math.MaxInt32/rows || copies > math.MaxInt32/(rows*repeat) {
		return badOptions("%d requests, %d times over with %d copies each, are more than 2147483647", rows, repeat, copies)
	}
	if o.Rebase {
		first := r.Time[0]
		for i := range r.Time {
			r.Time[i] -= first
		}
	}
	if repeat > 1 && !r.loop(repeat) {
		return badOptions("the recording repeated %d times ends beyond the year 2262", repeat)
	}
	if o.Speed.Num != o.Speed.Den && !r.speed(o.Speed.Num, o.Speed.Den) {
		return badOptions("the recording at speed %d/%d ends beyond the year 2262", o.Speed.Num, o.Speed.Den)
	}
	if copies > 1 {
		r.Time = copied(r.Time, copies)
		r.Key = copied(r.Key, copies)
		r.Client = copied(r.Client, copies)
		r.Cost = copied(r.Cost, copies)
		for i := range r.Fields {
			r.Fields[i].Value = copied(r.Fields[i].Value, copies)
		}
	}
	return nil
}

// loop appends the recording to itself. The period is the calendar seconds
// that it touches, so that every turn falls into seconds the same way.
func (r *Recording) loop(n int) (ok bool) {
	rows := len(r.Time)
	first, last := r.Time[0], r.Time[rows-1]
	seconds := last/second - first/second + 1
	if seconds > (math.MaxInt64-last)/second/int64(n-1) {
		return false
	}
	times := slices.Grow(r.Time, rows*(n-1))
	for turn := 1; turn < n; turn++ {
		for _, t := range times[:rows] {
			times = append(times, t+int64(turn)*seconds*second)
		}
	}
	r.Time = times
	r.Key = slices.Repeat(r.Key, n)
	if r.Client != nil {
		r.Client = slices.Repeat(r.Client, n)
	}
	if r.Cost != nil {
		r.Cost = slices.Repeat(r.Cost, n)
	}
	for i := range r.Fields {
		r.Fields[i].Value = slices.Repeat(r.Fields[i].Value, n)
	}
	return true
}

// speed divides every distance from the first request by num/den, floored.
func (r *Recording) speed(num, den int64) (ok bool) {
	first := r.Time[0]
	for i, t := range r.Time {
		hi, lo := bits.Mul64(uint64(t-first), uint64(den))
		if hi >= uint64(num) {
			return false
		}
		q, _ := bits.Div64(hi, lo, uint64(num))
		if q > uint64(math.MaxInt64-first) {
			return false
		}
		r.Time[i] = first + int64(q)
	}
	return true
}

// ceilDiv is x * den / num rounded up, or the largest int64.
func ceilDiv(x, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(x), uint64(den))
	if hi >= uint64(num) {
		return math.MaxInt64
	}
	q, rem := bits.Div64(hi, lo, uint64(num))
	if rem > 0 {
		q++
	}
	return int64(min(q, math.MaxInt64))
}

// copied repeats each element in place; nil stays nil.
func copied[T any](column []T, n int) []T {
	if column == nil {
		return nil
	}
	out := make([]T, 0, len(column)*n)
	for _, x := range column {
		for range n {
			out = append(out, x)
		}
	}
	return out
}
