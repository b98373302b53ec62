package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// reference is the reference of one executor, used if the executors of a
// scenario have different attempts. Only figures depend on its verdicts, so it
// decides the arrivals of a block of rows together.
type reference struct {
	decider Decider
	rows    [rowBlock]uint8 // those that are arrivals
	n       int             // number of arrivals
	asked   int64           // arrivals of earlier blocks
	columns
	verdicts [rowBlock]counting.Verdict
	all      Arrivals
}

// arrive notes that a row is an arrival.
func (f *reference) arrive(row int) {
	f.rows[f.n&(rowBlock-1)] = uint8(row) // the mask removes the bounds check
	f.n++
}

// fill sets the cost that the reference admits in the rows that are arrivals.
func (f *reference) fill(r *flowRows) {
	n, multiPolicy := f.n, r.descriptors.First != nil
	if n == 0 {
		return
	}
	if multiPolicy {
		f.descriptors.Reset()
	}
	for i, row := range f.rows[:n] {
		f.time[i], f.cost[i] = r.time[row], r.cost[row]
		f.key[i], f.tenant[i], f.client[i] = r.key[row], r.tenant[row], r.client[row]
		if multiPolicy {
			f.descriptors.Add(r.descriptors.Of(int(row)))
		}
	}
	f.all = f.arrivals(n)
	f.all.First = f.asked
	f.decider.Decide(&f.all, 0, n, f.verdicts[:n])
	for i, row := range f.rows[:n] {
		r.reference[row] = f.cost[i] & -int64(f.verdicts[i]&1)
	}
	f.asked += int64(n)
	f.n = 0
}
