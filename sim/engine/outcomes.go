package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// outcomes collects how attempts ended into blocks for the recorder.
type outcomes struct {
	recorder *measure.Recorder
	n        int
	block    [rowBlock]measure.Outcome
}

// next is the place of the next outcome, to be filled at once.
func (c *outcomes) next() *measure.Outcome {
	if c.n == rowBlock {
		c.flush()
	}
	o := &c.block[c.n&(rowBlock-1)] // no bound to check
	c.n++
	return o
}

func (c *outcomes) flush() {
	c.recorder.Outcomes(c.block[:c.n])
	c.n = 0
}

// fill says of an attempt that it ended now. The fields are set one by one: a
// literal is made elsewhere first and copied.
func fill(o *measure.Outcome, a *Attempt, now int64, v counter.Verdict) {
	o.Attempt, o.Fresh, o.Try = a.Index, a.Fresh, int32(a.Try)
	o.Arrival, o.Decided, o.Dispatched, o.Waited = a.Arrival, now, now, a.waited
	o.Key, o.Tenant, o.Client, o.Cost = a.Key, a.Tenant, a.Client, a.Cost
	o.Verdict, o.TimedOut, o.Waiting = v, a.timedOut, false
}
