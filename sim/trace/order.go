package trace

// sorted returns the numbers of the rows in order of time, stable; nil where
// they are in order already. Logs are nearly always in order by themselves, so
// this is a natural merge sort: it finds the stretches that are in order and
// merges neighbours until one is left.
func sorted(times []int64) []int32 {
	stretches := orderedStretches(times)
	if len(stretches) <= 2 {
		return nil
	}
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
	}
	return mergeStretches(times, order, stretches)
}

// orderedStretches cuts times into stretches that do not decrease: stretch i
// is times[at[i]:at[i+1]].
func orderedStretches(times []int64) (at []int32) {
	at = append(at, 0)
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			at = append(at, int32(i))
		}
	}
	return append(at, int32(len(times)))
}

func mergeStretches(times []int64, order, at []int32) []int32 {
	spare := make([]int32, len(order))
	for len(at) > 2 {
		merged := at[:1] // never ahead of what is still to be read
		for i := 0; i+1 < len(at); i += 2 {
			lo, mid, hi := at[i], at[i+1], at[i+1]
			if i+2 < len(at) {
				hi = at[i+2]
			}
			a, b := order[lo:mid], order[mid:hi]
			out := spare[lo:hi]
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
		at = merged
		order, spare = spare, order
	}
	return order
}
