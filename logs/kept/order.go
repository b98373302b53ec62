package kept

import "slices"

// ordering sorts times. It reuses its memory.
type ordering struct {
	order, spare []int32
	segments     []int32
}

// of returns the row numbers in time order (stable), or nil if the rows are in
// order already. Most logs are nearly in order, so it is a natural merge sort:
// it finds the ascending segments and merges adjacent ones until one is left.
func (o *ordering) of(times []int64) []int32 {
	o.cut(times)
	if len(o.segments) <= 2 {
		return nil
	}
	n := len(times)
	o.order, o.spare = slices.Grow(o.order[:0], n)[:n], slices.Grow(o.spare[:0], n)[:n]
	for i := range o.order {
		o.order[i] = int32(i)
	}
	for len(o.segments) > 2 {
		o.merge(times)
	}
	return o.order
}

// cut divides times into segments that do not decrease: segment i is
// times[segments[i]:segments[i+1]].
func (o *ordering) cut(times []int64) {
	o.segments = append(o.segments[:0], 0)
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			o.segments = append(o.segments, int32(i))
		}
	}
	o.segments = append(o.segments, int32(len(times)))
}

// merge merges each pair of adjacent segments.
func (o *ordering) merge(times []int64) {
	at := o.segments
	merged := at[:1] // the write position never passes the read position
	for i := 0; i+1 < len(at); i += 2 {
		lo, mid, hi := at[i], at[i+1], at[i+1]
		if i+2 < len(at) {
			hi = at[i+2]
		}
		a, b := o.order[lo:mid], o.order[mid:hi]
		out := o.spare[lo:hi]
		for k := range out {
			// The left segment precedes the right one in the input, so it comes
			// first if times are equal.
			if len(b) == 0 || (len(a) > 0 && times[a[0]] <= times[b[0]]) {
				out[k], a = a[0], a[1:]
			} else {
				out[k], b = b[0], b[1:]
			}
		}
		merged = append(merged, hi)
	}
	o.segments = merged
	o.order, o.spare = o.spare, o.order
}
