package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// rowBatch runs rows of one replication of a scenario together: it makes the
// traffic and the references' decisions once and passes the same blocks to
// every executor.
type rowBatch struct {
	stream    traffic.Stream
	alive     *faults.Alive // nil if all clients are always alive
	relimits  *faults.Relimits
	reference engine.Decider
	shapers   []shaper
	executors []engine.Executor
	shaped    []int // by executor: the index of its shaper, or -1
	end       int64
	workers   bool  // some callers wait for answers
	from      int64 // start of the simulation
	digest    traffic.Digest

	now     int64 // the first arrival of the current block
	running int   // the executor that runs, or -1
}

// shaper is a shaping reference, with what it dispatches and rejects in the current
// block.
type shaper struct {
	waiting    counting.Waiting
	reference  *engine.ShapedReference
	dispatches []engine.Dispatch
}

// shapedFor returns what the shaping reference of an executor does in the current
// block.
func (c *rowBatch) shapedFor(executor int) []engine.Dispatch {
	if i := c.shaped[executor]; i >= 0 {
		return c.shapers[i].dispatches
	}
	return nil
}

// run runs the batch to its end. After each block it calls progress with the
// number of decisions that it took and the time of the last one.
func (c *rowBatch) run(ctx context.Context, progress func(decisions int64, now int64)) error {
	a := &engine.Arrivals{}
	block := traffic.NewBlock()
	verdicts := make([]counting.Verdict, traffic.BlockSize)
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
		c.digest.Add(block)
		a.Set(block)
		c.now, c.running = block.Time[0], -1
		if c.alive != nil {
			c.alive.Move(a.Time, a.Client)
		}
		for i := 0; c.relimits != nil && i < block.N; i++ {
			c.relimits.Ask(a.Time[i], a.Keys(i))
		}
		a.Verdicts, a.Admitted = verdicts[:block.N], admitted[:block.N]
		c.reference.Decide(a, 0, block.N, a.Verdicts)
		a.Settled = measure.Settle(a.Cost, a.Verdicts, a.Admitted)
		for i := range c.shapers {
			c.shapers[i].dispatches = c.shapers[i].reference.Advance(a)
		}
		for i, l := range c.executors {
			c.running, a.Shaped = i, c.shapedFor(i)
			l.Advance(ctx, a)
		}
		progress(int64(block.N*len(c.executors)), block.Time[block.N-1])
	}
	if c.workers {
		if err := c.work(ctx, progress); err != nil {
			return err
		}
	}
	for i := range c.shapers {
		c.shapers[i].dispatches = c.shapers[i].reference.Until(c.end - 1)
	}
	for i, l := range c.executors {
		c.running = i
		l.Finish(ctx, c.end, c.shapedFor(i))
	}
	return ctx.Err()
}

// timeSlices is the number of parts of the run after which a batch of workers shows its
// progress and looks whether it should end.
const timeSlices = 1000

// work runs what workers do after the last arrival, slice by slice.
func (c *rowBatch) work(ctx context.Context, progress func(decisions int64, now int64)) error {
	slice := max(1, (c.end-c.from)/timeSlices)
	for now := max(c.now, c.from); now < c.end; now = min(c.end, now+slice) {
		if err := ctx.Err(); err != nil {
			return err
		}
		decisions := int64(0)
		for i, l := range c.executors {
			c.running, c.now = i, now
			decisions += l.(interface {
				RunUntil(ctx context.Context, t int64) int64
			}).RunUntil(ctx, now)
		}
		progress(decisions, now)
	}
	return nil
}
