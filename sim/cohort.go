package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// cohort is the trials of one scenario and replication that run side by side:
// the traffic is made once, the references decide it once, and every lane
// takes the same blocks.
type cohort struct {
	stream    *traffic.Stream
	reference counters.Table
	shaped    *shapedReference // nil when no lane is compared with it
	lanes     []lane
	end       int64
}

// run drives the cohort to its end and reports after each block how many
// attempts it held and when its last one arrived.
func (c *cohort) run(ctx context.Context, progress func(attempts int, now int64)) error {
	a := &arrivals{}
	block := traffic.NewBlock()
	verdicts := make([]counters.Verdict, traffic.BlockSize)
	admitted := make([]int64, traffic.BlockSize)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.stream.Fill(block)
		if block.N == 0 {
			break
		}
		a.set(block)
		a.verdicts, a.admitted = verdicts[:block.N], admitted[:block.N]
		c.reference.TakeBlock(a.key, a.time, a.cost, a.verdicts)
		for i, v := range a.verdicts {
			a.admitted[i] = a.cost[i] & -int64(v&1)
		}
		if c.shaped != nil {
			a.shaped = c.shaped.advance(a)
		}
		for _, l := range c.lanes {
			l.advance(ctx, a)
		}
		progress(block.N, block.Time[block.N-1])
	}
	var left []dispatch
	if c.shaped != nil {
		left = c.shaped.finish(c.end)
	}
	for _, l := range c.lanes {
		l.finish(ctx, c.end, left)
	}
	return ctx.Err()
}
