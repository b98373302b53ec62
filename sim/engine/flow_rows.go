package engine

import (
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// rowBlock is the number of rows, or outcomes, that the recorder receives at
// once: enough to make the calls cheap, few enough for the first-level cache.
const rowBlock = 128

// columns holds up to rowBlock attempts.
type columns struct {
	time, cost          [rowBlock]int64
	key, tenant, client [rowBlock]int32
	descriptors         traffic.Descriptors // empty unless requests carry descriptors
}

// arrivals returns a view of the first n attempts.
func (c *columns) arrivals(n int) Arrivals {
	a := Arrivals{Time: c.time[:n], Key: c.key[:n], Tenant: c.tenant[:n], Client: c.client[:n], Cost: c.cost[:n]}
	if c.descriptors.First != nil {
		a.Descriptors = &c.descriptors
	}
	return a
}

// flowRows collects single rows into blocks for the recorder.
type flowRows struct {
	recorder                      *measure.Recorder
	n                             int
	columns                       // cost is the cost offered
	admitted, rejected, reference [rowBlock]int64
	refused                       [rowBlock]int64 // cost that a shaping reference rejects
	refuses                       bool            // one of refused is not 0
	flow                          measure.Flow

	arriving bool       // the last row is the arrival of the attempt that is being decided
	late     *reference // if not nil, decides the arrivals of each full block
}

// put adds a row.
func (r *flowRows) put(t int64, key, tenant, client int32, offered, admitted, rejected, reference int64) {
	if r.n == rowBlock {
		r.flush()
	}
	i := r.n & (rowBlock - 1) // the mask removes the bounds check
	r.time[i], r.key[i], r.tenant[i], r.client[i] = t, key, tenant, client
	r.cost[i], r.admitted[i], r.rejected[i], r.reference[i], r.refused[i] = offered, admitted, rejected, reference, 0
	r.n++
}

// add adds a row about an attempt. keys are all its keys if requests carry
// descriptors.
func (r *flowRows) add(t int64, a *Attempt, keys []int32, offered, admitted, rejected, reference int64) {
	r.put(t, a.Key, a.Tenant, a.Client, offered, admitted, rejected, reference)
	r.arriving = false
	if r.descriptors.First != nil {
		r.descriptors.Add(keys)
	}
}

// arrive adds the row of an arrival of which the reference admits this cost. If
// the limiter decides the attempt on arrival, end completes this row.
func (r *flowRows) arrive(t int64, a *Attempt, keys []int32, reference int64) {
	r.add(t, a, keys, a.Cost, 0, 0, reference)
	r.arriving = true
	if r.late != nil {
		r.late.arrive(r.n - 1)
	}
}

// end records the end of an attempt. It uses the row of the arrival if that is
// the last row and the attempt is still being decided; otherwise it adds a row.
func (r *flowRows) end(t int64, a *Attempt, keys []int32, admitted, rejected, reference int64) {
	if a.state != arrived || !r.arriving {
		r.add(t, a, keys, 0, admitted, rejected, reference)
		return
	}
	i := (r.n - 1) & (rowBlock - 1)
	r.admitted[i], r.rejected[i] = admitted, rejected
	r.reference[i] += reference
	r.arriving = false
}

// refuse states the cost of the last row that a shaping reference rejects.
func (r *flowRows) refuse(cost int64) {
	r.refused[(r.n-1)&(rowBlock-1)] = cost
	r.refuses = true
}

func (r *flowRows) flush() {
	if r.n == 0 {
		return
	}
	n := r.n
	if r.late != nil {
		r.late.fill(r)
	}
	r.flow = measure.Flow{
		Time: r.time[:n], Key: r.key[:n], Tenant: r.tenant[:n], Client: r.client[:n],
		Offered: r.cost[:n], Admitted: r.admitted[:n], Rejected: r.rejected[:n], Reference: r.reference[:n],
		First: r.descriptors.First, Keys: r.descriptors.Keys,
	}
	if r.refuses {
		r.flow.Refused = r.refused[:n]
	}
	r.recorder.Flow(&r.flow)
	r.n, r.refuses = 0, false
	if r.descriptors.First != nil {
		r.descriptors.Reset()
	}
}
