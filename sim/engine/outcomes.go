package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// outcomes collects the outcomes of attempts into blocks for the recorder.
type outcomes struct {
	recorder *measure.Recorder
	n        int
	block    [rowBlock]measure.Outcome
}

// next returns the place of the next outcome. The caller must set all of its
// fields at once.
func (c *outcomes) next() *measure.Outcome {
	if c.n == rowBlock {
		c.flush()
	}
	o := &c.block[c.n&(rowBlock-1)] // the mask removes the bounds check
	c.n++
	return o
}

func (c *outcomes) flush() {
	c.recorder.Outcomes(c.block[:c.n])
	c.n = 0
}

// fill sets o to the outcome of an attempt that ends at now. It sets the fields
// one by one because a composite literal would be built elsewhere and copied.
func fill(o *measure.Outcome, a *Attempt, now int64, v counting.Verdict) {
	fresh, try := triedAt(a.place)
	o.Attempt, o.Fresh, o.Try = a.Index, fresh, int32(try)
	o.Arrival, o.Decided, o.Dispatched, o.Waited = a.Arrival, now, now, a.waited
	o.Key, o.Tenant, o.Client, o.Cost = a.Key, a.Tenant, a.Client, a.Cost
	o.Verdict, o.TimedOut, o.Waiting = v, a.timedOut, false
}
