package lanes

import "github.com/limitgauge/limitgauge/sim/measure"

// rowBlock is how many rows, or outcomes, are handed to the recorder at once:
// enough that its calls cost little, few enough to stay in a core's first cache.
const rowBlock = 256

// flowRows collects single rows into blocks for the recorder.
type flowRows struct {
	recorder                               *measure.Recorder
	n                                      int
	time                                   [rowBlock]int64
	key, tenant, client                    [rowBlock]int32
	offered, admitted, rejected, reference [rowBlock]int64

	first []int32 // nil unless requests carry descriptors
	keys  []int32
	flow  measure.Flow
}

// carry says that requests carry descriptors.
func (r *flowRows) carry() {
	if r.first == nil {
		r.first = append(r.first, 0)
	}
}

// add adds a row about an attempt; keys are all that it carries where requests
// carry descriptors.
func (r *flowRows) add(t int64, a *Attempt, keys []int32, offered, admitted, rejected, reference int64) {
	if r.n == rowBlock {
		r.flush()
	}
	i := r.n & (rowBlock - 1) // no bound to check
	r.time[i], r.key[i], r.tenant[i], r.client[i] = t, a.Key, a.Tenant, a.Client
	r.offered[i], r.admitted[i], r.rejected[i], r.reference[i] = offered, admitted, rejected, reference
	r.n++
	if r.first != nil {
		r.keys = append(r.keys, keys...)
		r.first = append(r.first, int32(len(r.keys)))
	}
}

func (r *flowRows) flush() {
	if r.n == 0 {
		return
	}
	n := r.n
	r.flow = measure.Flow{
		Time: r.time[:n], Key: r.key[:n], Tenant: r.tenant[:n], Client: r.client[:n],
		Offered: r.offered[:n], Admitted: r.admitted[:n], Rejected: r.rejected[:n], Reference: r.reference[:n],
		First: r.first, Keys: r.keys,
	}
	r.recorder.Flow(&r.flow)
	r.n = 0
	if r.first != nil {
		r.first, r.keys = r.first[:1], r.keys[:0]
	}
}
