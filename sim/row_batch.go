package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/traffic"
)

// rowBatch runs rows of one replication of a scenario together: it makes the
// traffic and the references' decisions once and passes the same blocks to
// every executor.
type rowBatch struct {
	stream    traffic.Stream
	alive     *faults.Alive // nil if all clients are always alive
	reference engine.Decider
	shaped    *engine.ShapedReference // nil if no executor is compared with it
	executors []engine.Executor
	end       int64
}

// run runs the batch to its end. After each block it calls progress with the
// number of attempts and the time of the last one.
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
		left = c.shaped.Until(c.end - 1)
	}
	for _, l := range c.executors {
		l.Finish(ctx, c.end, left)
	}
	return ctx.Err()
}
