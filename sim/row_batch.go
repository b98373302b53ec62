package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// cohort is the trials of one scenario and replication that run side by side:
// the traffic is made once, the references decide it once, and every lane
// takes the same blocks.
type rowBatch struct {
	stream    *traffic.Stream
	alive     *faults.Alive // nil when all clients are always there
	reference engine.Decider
	shaped    *engine.ShapedReference // nil when no lane is compared with it
	executors []engine.Executor
	end       int64
}

// run drives the cohort to its end and reports after each block how many
// attempts it held and when its last one arrived.
func (c *rowBatch) run(ctx context.Context, progress func(attempts int, now int64)) error {
	a := &engine.Arrivals{}
	block := traffic.NewBlock()
	verdicts := make([]counter.Verdict, traffic.BlockSize)
	admitted := make([]int64, traffic.BlockSize)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.stream.Fill(block)
		if block.N == 0 {
			if err := c.stream.Err(); err != nil {
				return err
			}
			break
		}
		a.Set(block)
		if c.alive != nil {
			c.alive.Move(a.Time, a.Client)
		}
		a.Verdicts, a.Admitted = verdicts[:block.N], admitted[:block.N]
		c.reference.Decide(a, 0, block.N, a.Verdicts)
		a.Settled = measure.Settle(a.Cost, a.Verdicts, a.Admitted)
		if c.shaped != nil {
			a.Shaped = c.shaped.Advance(a)
		}
		for _, l := range c.executors {
			l.Advance(ctx, a)
		}
		progress(block.N, block.Time[block.N-1])
	}
	var left []engine.Dispatch
	if c.shaped != nil {
		left = c.shaped.Finish(c.end)
	}
	for _, l := range c.executors {
		l.Finish(ctx, c.end, left)
	}
	return ctx.Err()
}
