package lanes

import (
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// flowRows collects single rows into blocks for the recorder.
type flowRows struct {
	recorder *measure.Recorder
	flow     measure.Flow
}

func newFlowRows(r *measure.Recorder) *flowRows {
	const n = traffic.BlockSize
	return &flowRows{recorder: r, flow: measure.Flow{
		Time: make([]int64, 0, n), Key: make([]int32, 0, n), Tenant: make([]int32, 0, n), Client: make([]int32, 0, n),
		Offered: make([]int64, 0, n), Admitted: make([]int64, 0, n), Rejected: make([]int64, 0, n), Reference: make([]int64, 0, n),
	}}
}

// carry says whether requests carry descriptors, which does not change.
func (r *flowRows) carry(several bool) {
	if several && r.flow.First == nil {
		r.flow.First = append(r.flow.First, 0)
	}
}

func (r *flowRows) add(t int64, a *Attempt, offered, admitted, rejected, reference int64) {
	f := &r.flow
	f.Time = append(f.Time, t)
	f.Key = append(f.Key, a.Key)
	f.Tenant = append(f.Tenant, a.Tenant)
	f.Client = append(f.Client, a.Client)
	f.Offered = append(f.Offered, offered)
	f.Admitted = append(f.Admitted, admitted)
	f.Rejected = append(f.Rejected, rejected)
	f.Reference = append(f.Reference, reference)
	if f.First != nil {
		f.Keys = append(f.Keys, a.Keys...)
		f.First = append(f.First, int32(len(f.Keys)))
	}
	if len(f.Time) == cap(f.Time) {
		r.flush()
	}
}

func (r *flowRows) flush() {
	f := &r.flow
	if len(f.Time) == 0 {
		return
	}
	r.recorder.Flow(f)
	f.Time, f.Key, f.Tenant, f.Client = f.Time[:0], f.Key[:0], f.Tenant[:0], f.Client[:0]
	f.Offered, f.Admitted, f.Rejected, f.Reference = f.Offered[:0], f.Admitted[:0], f.Rejected[:0], f.Reference[:0]
	if f.First != nil {
		f.First, f.Keys = f.First[:1], f.Keys[:0]
	}
}
