package logs

import "slices"

// ordering brings times into order. Its room is used again.
type ordering struct {
	order, spare []int32
	stretches    []int32
}

// of returns the numbers of the rows in order of time, stable; nil where they
// are in order already. Logs are nearly always in order by themselves, so this
// is a natural merge sort: it finds the stretches that are in order and merges
// neighbours until one is left.
func (o *ordering) of(times []int64) []int32 {
	o.cut(times)
	if len(o.stretches) <= 2 {
		return nil
	}
	n := len(times)
	o.order, o.spare = slices.Grow(o.order[:0], n)[:n], slices.Grow(o.spare[:0], n)[:n]
	for i := range o.order {
		o.order[i] = int32(i)
	}
	for len(o.stretches) > 2 {
		o.merge(times)
	}
	return o.order
}

// cut cuts times into stretches that do not decrease: stretch i is
// times[stretches[i]:stretches[i+1]].
func (o *ordering) cut(times []int64) {
	o.stretches = append(o.stretches[:0], 0)
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			o.stretches = append(o.stretches, int32(i))
		}
	}
	o.stretches = append(o.stretches, int32(len(times)))
}

// merge merges every two neighbouring stretches.
func (o *ordering) merge(times []int64) {
	at := o.stretches
	merged := at[:1] // never ahead of what is still to be read
	for i := 0; i+1 < len(at); i += 2 {
		lo, mid, hi := at[i], at[i+1], at[i+1]
		if i+2 < len(at) {
			hi = at[i+2]
		}
		a, b := o.order[lo:mid], o.order[mid:hi]
		out := o.spare[lo:hi]
		for k := range out {
			// The left one is the earlier one in the input: it wins ties.
			if len(b) == 0 || (len(a) > 0 && times[a[0]] <= times[b[0]]) {
				out[k], a = a[0], a[1:]
			} else {
				out[k], b = b[0], b[1:]
			}
		}
		merged = append(merged, hi)
	}
	o.stretches = merged
	o.order, o.spare = o.spare, o.order
}
