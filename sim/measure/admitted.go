package measure

// Admitted is what a block of the flow stream let through, as far as meters ask
// for it. It is only valid during the call.
type Admitted struct {
	Flow *Flow // the block, which may hold rows that let nothing through

	oneKey bool
	picked bool // the rows of this block
	times  []int64
	costs  []int64
	keys   []int32
}

// AdmittedMeter is a meter that looks at nothing but what was let through, and
// back before the measured span.
type AdmittedMeter interface {
	Reporter
	// Admitted consumes a block. The blocks before the span are not measured.
	Admitted(a *Admitted, measured bool)
}

// of has the block be f.
func (a *Admitted) of(f *Flow) { a.Flow, a.picked = f, false }

// Rows are the rows with an admitted cost, in time order, as columns.
func (a *Admitted) Rows() (times, costs []int64, keys []int32) {
	if !a.picked {
		a.pick()
	}
	return a.times, a.costs, a.keys
}

// pick picks the rows without a branch: in overload verdicts cannot be
// predicted. The keys of the only key there is are all 0, as they were made.
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
			count += int(uint64(-cost) >> 63) // 1 where the cost is above 0
		}
	} else {
		for i, cost := range f.Admitted[:n] {
			times[count], costs[count], keys[count] = from[i], cost, key[i]
			count += int(uint64(-cost) >> 63)
		}
	}
	a.times, a.costs, a.keys, a.picked = times[:count], costs[:count], keys[:count], true
}
