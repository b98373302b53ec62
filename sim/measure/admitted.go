package measure

// Admitted is what a block of the flow stream let through: its rows with an
// admitted cost, in time order, as columns that are only valid during the call.
type Admitted struct {
	Time []int64
	Cost []int64 // above 0
	Key  []int32
	Sum  int64 // of Cost
}

// AdmittedMeter is a meter that looks at nothing but what was let through, and
// back before the measured span.
type AdmittedMeter interface {
	Reporter
	// Admitted consumes a block, which may be empty. The blocks before the span
	// are not measured.
	Admitted(a *Admitted, measured bool)
}

// take picks the rows of a block, without a branch: in overload verdicts cannot
// be predicted. The keys of the only key there is are all 0, as they were made.
func (a *Admitted) take(f *Flow, oneKey bool) {
	n := len(f.Time)
	if n > cap(a.Time) {
		a.Time, a.Cost, a.Key = make([]int64, n), make([]int64, n), make([]int32, n)
	}
	times, costs, keys := a.Time[:n], a.Cost[:n], a.Key[:n]
	from, key := f.Time[:n], f.Key[:n]
	count := 0
	if oneKey {
		for i, cost := range f.Admitted[:n] {
			times[count], costs[count] = from[i], cost
			count += int(uint64(-cost) >> 63) // 1 where the cost is above 0
		}
		a.Time, a.Cost, a.Key, a.Sum = times[:count], costs[:count], keys[:count], f.Sum.Admitted
		return
	}
	for i, cost := range f.Admitted[:n] {
		times[count], costs[count], keys[count] = from[i], cost, key[i]
		count += int(uint64(-cost) >> 63) // 1 where the cost is above 0
	}
	a.Time, a.Cost, a.Key, a.Sum = times[:count], costs[:count], keys[:count], f.Sum.Admitted
}
