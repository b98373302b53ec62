package trace

// merge sorts the rows by time; rows of one instant keep their order. Files
// are nearly always in order by themselves, so this is a natural merge sort:
// it finds the runs that are in order and merges neighbours until one is left.
func (r *Recording) merge() {
	runs := orderedRuns(r.Time)
	if len(runs) <= 2 {
		return
	}
	order := make([]int32, len(r.Time))
	for i := range order {
		order[i] = int32(i)
	}
	order = mergeRuns(r.Time, order, runs)
	r.Time = permute(r.Time, order)
	r.Key = permute(r.Key, order)
	r.Client = permute(r.Client, order)
	r.Cost = permute(r.Cost, order)
	for i := range r.Fields {
		r.Fields[i].Value = permute(r.Fields[i].Value, order)
	}
}

// orderedRuns cuts times into runs that do not decrease: run i is
// times[runs[i]:runs[i+1]].
func orderedRuns(times []int64) (runs []int) {
	runs = append(runs, 0)
	for i := 1; i < len(times); i++ {
		if times[i] < times[i-1] {
			runs = append(runs, i)
		}
	}
	return append(runs, len(times))
}

// mergeRuns returns the row numbers in order of time, stable.
func mergeRuns(times []int64, order []int32, runs []int) []int32 {
	spare := make([]int32, len(order))
	for len(runs) > 2 {
		merged := runs[:1] // never ahead of what is still to be read
		for i := 0; i+1 < len(runs); i += 2 {
			lo, mid, hi := runs[i], runs[i+1], runs[i+1]
			if i+2 < len(runs) {
				hi = runs[i+2]
			}
			a, b := order[lo:mid], order[mid:hi]
			out := spare[lo:hi]
			for k := range out {
				// The left run is the earlier one in the input: it wins ties.
				if len(b) == 0 || (len(a) > 0 && times[a[0]] <= times[b[0]]) {
					out[k], a = a[0], a[1:]
				} else {
					out[k], b = b[0], b[1:]
				}
			}
			merged = append(merged, hi)
		}
		runs = merged
		order, spare = spare, order
	}
	return order
}

// permute returns the column in another order; nil stays nil.
func permute[T any](column []T, order []int32) []T {
	if column == nil {
		return nil
	}
	out := make([]T, len(column))
	for i, from := range order {
		out[i] = column[from]
	}
	return out
}
