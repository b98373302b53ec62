package demands

// ByKey calls f with the flows that have demand under each key, and their demands, in
// the order of the keys and flows. f may keep neither. ByKey may be called once, after
// all costs.
func (d *Demands) ByKey(f func(key int32, flows []int32, demands []int64)) {
	if d.counts == nil && d.log == nil {
		d.tableByKey(f)
		return
	}
	p := partsOf(d.keys, d.flows)
	a, carried := newAdder(p.pairs), d.table.sorted()
	var numbers []int32
	var sums []int64
	for part := range p.count {
		first := int64(part) * int64(p.pairs)
		if d.log != nil {
			a.addRows(d.log.of(part))
			a.addCounts(d.log.dense[part])
		} else {
			a.addCounts(d.counts[first:min(first+int64(p.pairs), int64(len(d.counts)))])
		}
		for ; len(carried) > 0 && carried[0].pair-1 < first+int64(p.pairs); carried = carried[1:] {
			a.add(int(carried[0].pair-1-first), carried[0].value)
		}
		numbers, sums = a.drain(numbers[:0], sums[:0])
		p.cut(part, numbers, sums, f)
	}
}

// cut calls f for each key of a part. It turns the numbers of pairs into flows.
func (p *parts) cut(part int, numbers []int32, sums []int64, f func(key int32, flows []int32, demands []int64)) {
	for from := 0; from < len(numbers); {
		key, _ := p.pair(part, int(numbers[from]))
		before := (key - int32(part<<p.keyBits)) * int32(p.flows)
		to := from
		for ; to < len(numbers) && numbers[to] < before+int32(p.flows); to++ {
			numbers[to] -= before
		}
		f(key, numbers[from:to], sums[from:to])
		from = to
	}
}

// tableByKey is ByKey if all demands are in the table. Flows are in no order.
func (d *Demands) tableByKey(f func(key int32, flows []int32, demands []int64)) {
	ends := make([]int32, d.keys+1) // by key: first its number of pairs, at last the end of its list
	count := int64(d.flows)
	for _, s := range d.table.slots {
		if s.value > 0 {
			ends[(s.pair-1)/count]++
		}
	}
	total := int32(0)
	for key, n := range ends {
		ends[key] = total
		total += n
	}
	flows, demands := make([]int32, total), make([]int64, total)
	for _, s := range d.table.slots {
		if s.value > 0 {
			at := &ends[(s.pair-1)/count]
			flows[*at], demands[*at] = int32((s.pair-1)%count), s.value
			*at++
		}
	}
	from := int32(0)
	for key, to := range ends[:d.keys] {
		if from < to {
			f(int32(key), flows[from:to], demands[from:to])
		}
		from = to
	}
}
