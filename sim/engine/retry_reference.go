package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/traffic"
)

// reference is the reference of one executor, used if the executors of a
// scenario have different attempts. Only figures depend on its verdicts, so it
// decides the arrivals of a block of rows together.
type reference struct {
	decider  Decider
	arrivals [rowBlock]uint8 // rows that are arrivals
	n        int             // number of arrivals
	asked    int64           // arrivals of earlier blocks
	block    struct {
		time, cost          [rowBlock]int64
		key, tenant, client [rowBlock]int32
		verdicts            [rowBlock]counter.Verdict
		admitted            [rowBlock]int64
	}
	first       []int32
	keys        []int32
	descriptors traffic.Descriptors
	all         Arrivals
}

// arrive notes that a row is an arrival.
func (f *reference) arrive(row int) {
	f.arrivals[f.n&(rowBlock-1)] = uint8(row) // the mask removes the bounds check
	f.n++
}

// fill sets the cost that the reference admits in the rows that are arrivals.
func (f *reference) fill(r *flowRows) {
	b, n := &f.block, f.n
	if n == 0 {
		return
	}
	f.first, f.keys = append(f.first[:0], 0), f.keys[:0]
	for i, row := range f.arrivals[:n] {
		b.time[i], b.cost[i] = r.time[row], r.offered[row]
		b.key[i], b.tenant[i], b.client[i] = r.key[row], r.tenant[row], r.client[row]
		if r.first != nil {
			f.keys = append(f.keys, r.keys[r.first[row]:r.first[row+1]]...)
			f.first = append(f.first, int32(len(f.keys)))
		}
	}
	f.all = Arrivals{
		Time: b.time[:n], Cost: b.cost[:n], Key: b.key[:n], Tenant: b.tenant[:n], Client: b.client[:n],
		First: f.asked, Verdicts: b.verdicts[:n], Admitted: b.admitted[:n],
	}
	if r.first != nil {
		f.descriptors = traffic.Descriptors{First: f.first, Keys: f.keys}
		f.all.Descriptors = &f.descriptors
	}
	f.decider.Decide(&f.all, 0, n, b.verdicts[:n])
	for i, row := range f.arrivals[:n] {
		r.reference[row] = b.cost[i] & -int64(b.verdicts[i]&1)
	}
	f.asked += int64(n)
	f.n = 0
}
