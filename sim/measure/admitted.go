package measure

// admittedRows holds the rows of a block with an admitted cost.
type admittedRows struct {
	oneKey bool
	picked bool // the columns are those of this block
	times  []int64
	costs  []int64
	keys   []int32
}

// admitted returns the rows with an admitted cost as columns, in time order.
func (f *Flow) admitted() (times, costs []int64, keys []int32) {
	if !f.rows.picked {
		f.rows.pick(f)
	}
	return f.rows.times, f.rows.costs, f.rows.keys
}

// pick selects the rows without a branch, because verdicts cannot be predicted
// in overload. With one key the keys column keeps its zeros.
func (a *admittedRows) pick(f *Flow) {
	n := len(f.Time)
	if n > cap(a.times) {
		a.times, a.costs, a.keys = make([]int64, n), make([]int64, n), make([]int32, n)
	}
	times, costs, keys := a.times[:n], a.costs[:n], a.keys[:n]
	from, key := f.Time[:n], f.Key[:n]
	count := 0
	if a.oneKey {
		for i, cost := range f.Admitted[:n] {
			times[count], costs[count] = from[i], cost
			count += int(uint64(-cost) >> 63) // 1 if cost is above 0
		}
	} else {
		for i, cost := range f.Admitted[:n] {
			times[count], costs[count], keys[count] = from[i], cost, key[i]
			count += int(uint64(-cost) >> 63)
		}
	}
	a.times, a.costs, a.keys, a.picked = times[:count], costs[:count], keys[:count], true
}
