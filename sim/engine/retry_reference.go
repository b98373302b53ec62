package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/traffic"
)

// reference is the reference of one executor, used if the executors of a
// scenario have different attempts. Only figures depend on its verdicts, so it
// decides the arrivals of a block of rows together.
type reference struct {
	decider Decider
	rows    [rowBlock]uint8 // those that are arrivals
	n       int             // number of arrivals
	asked   int64           // arrivals of earlier blocks
	columns
	verdicts    [rowBlock]counter.Verdict
	descriptors traffic.Descriptors
	all         Arrivals
}

// arrive notes that a row is an arrival.
func (f *reference) arrive(row int) {
	f.rows[f.n&(rowBlock-1)] = uint8(row) // the mask removes the bounds check
	f.n++
}

// fill sets the cost that the reference admits in the rows that are arrivals.
func (f *reference) fill(r *flowRows) {
	n, d := f.n, &f.descriptors
	if n == 0 {
		return
	}
	d.First, d.Keys = append(d.First[:0], 0), d.Keys[:0]
	for i, row := range f.rows[:n] {
		f.time[i], f.cost[i] = r.time[row], r.offered[row]
		f.key[i], f.tenant[i], f.client[i] = r.key[row], r.tenant[row], r.client[row]
		if r.first != nil {
			d.Keys = append(d.Keys, r.keys[r.first[row]:r.first[row+1]]...)
			d.First = append(d.First, int32(len(d.Keys)))
		}
	}
	f.all = f.arrivals(n)
	f.all.First = f.asked
	if r.first != nil {
		f.all.Descriptors = d
	}
	f.decider.Decide(&f.all, 0, n, f.verdicts[:n])
	for i, row := range f.rows[:n] {
		r.reference[row] = f.cost[i] & -int64(f.verdicts[i]&1)
	}
	f.asked += int64(n)
	f.n = 0
}
