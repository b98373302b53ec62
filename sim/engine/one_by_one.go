package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// oneByOne runs a Decider in an EventExecutor. Its control instants are events.
type oneByOne struct {
	Decider
	executor *EventExecutor
	armed    int64 // time of the next scheduled event, or Never
	rows     columns
	estimate [1]int64 // if costs become known with the answer
	answer   [1]int64
	verdict  [1]counting.Verdict
}

// NewOneByOneExecutor returns an executor of a Decider that decides one attempt at a
// time. Its Arrivals have estimates if costs become known with the answer, also those
// of retries.
func NewOneByOneExecutor(t *Trial, d Decider) *EventExecutor {
	return NewBlockExecutor(t.Sinks, d).OneByOne(t.Start)
}

// OneByOne returns an executor for the same Decider that decides one attempt at a time.
func (l *BlockExecutor) OneByOne(start int64) *EventExecutor {
	events := NewEventExecutor(l.Sinks, start)
	events.Run(newOneByOne(events, l.decider))
	return events
}

func newOneByOne(l *EventExecutor, d Decider) *oneByOne {
	o := &oneByOne{Decider: d, executor: l, armed: Never}
	o.arm()
	return o
}

// arm schedules an event at the next control instant, unless there is one.
func (d *oneByOne) arm() {
	if next := d.Next(); next < d.armed {
		d.armed = next
		d.executor.Schedule(next, 0, 0)
	}
}

// runUntil runs the control instants up to t.
func (d *oneByOne) runUntil(t int64) {
	for next := d.Next(); next <= t; next = d.Next() {
		d.Step(next)
	}
}

func (d *oneByOne) Fire(e Event) {
	if e.Time >= d.armed {
		d.armed = Never
	}
	d.runUntil(e.Time)
	d.arm()
}

func (d *oneByOne) Arrive(now int64, slot int32) {
	a := d.executor.Attempt(slot)
	r := &d.rows
	r.time[0], r.cost[0], r.key[0], r.tenant[0], r.client[0] = now, a.Cost, a.Key, a.Tenant, a.Client
	if keys := d.executor.carried(slot); keys != nil {
		r.descriptors.Reset()
		r.descriptors.Add(keys)
	}
	row := r.arrivals(1)
	row.First = a.Index
	if d.executor.settles {
		d.estimate[0], d.answer[0] = d.executor.Estimate(slot)
		row.Estimate, row.Answer = d.estimate[:], d.answer[:]
	}
	for d.runUntil(now); d.Decide(&row, 0, 1, d.verdict[:]) == 0; d.runUntil(now) {
	}
	d.arm()
	d.executor.Settle(slot, d.verdict[0])
}
