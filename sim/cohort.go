package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// cohort is the trials of one scenario and replication that run side by side:
// the traffic is made once, the references decide it once, and every lane
// takes the same blocks.
type cohort struct {
	stream    *traffic.Stream
	alive     *faults.Alive // nil when all clients are always there
	reference lanes.Decider
	shaped    *lanes.ShapedReference // nil when no lane is compared with it
	lanes     []lanes.Lane
	end       int64
}

// run drives the cohort to its end and reports after each block how many
// attempts it held and when its last one arrived.
func (c *cohort) run(ctx context.Context, progress func(attempts int, now int64)) error {
	a := &lanes.Arrivals{}
	block := traffic.NewBlock()
	verdicts := make([]counters.Verdict, traffic.BlockSize)
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
		for _, l := range c.lanes {
			l.Advance(ctx, a)
		}
		progress(block.N, block.Time[block.N-1])
	}
	var left []lanes.Dispatch
	if c.shaped != nil {
		left = c.shaped.Finish(c.end)
	}
	for _, l := range c.lanes {
		l.Finish(ctx, c.end, left)
	}
	return ctx.Err()
}
