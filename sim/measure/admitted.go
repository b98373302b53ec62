package measure

// Admitted is the part of a block of flow that was admitted. It is valid only
// during the call that receives it.
type Admitted struct {
	Flow *Flow // the block, including rows that admit nothing

	oneKey bool
	picked bool // the columns are those of this block
	times  []int64
	costs  []int64
	keys   []int32
}

// AdmittedMeter is a meter that needs only admitted cost, also from before the
// measured span.
type AdmittedMeter interface {
	// Admitted processes a block. measured is false for blocks before the span.
	Admitted(a *Admitted, measured bool)
}

// of makes f the current block.
func (a *Admitted) of(f *Flow) { a.Flow, a.picked = f, false }

// Rows returns the rows with an admitted cost as columns, in time order.
func (a *Admitted) Rows() (times, costs []int64, keys []int32) {
	if !a.picked {
		a.pick()
	}
	return a.times, a.costs, a.keys
}

// pick selects the rows without a branch, because verdicts cannot be predicted
// in overload. With one key the keys column keeps its zeros.
func (a *Admitted) pick() {
	f := a.Flow
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
