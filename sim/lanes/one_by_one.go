package lanes

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// OneByOne is the lane's Decider on an event lane, where what comes of an
// attempt may lead to another one. Without retries its verdicts are those of the
// block lane. What it measures begins at start.
func (l *BlockLane) OneByOne(start int64) *EventLane {
	lane := NewEventLane(l.Books, start)
	o := &oneByOne{lane: lane, decider: l.decider, due: Never}
	lane.Run(o)
	o.schedule() // there may be control instants before the first arrival
	return lane
}

// oneByOne is a Decider as a Limiter.
type oneByOne struct {
	lane    *EventLane
	decider Decider
	single  single
	verdict [1]counters.Verdict
	due     int64 // the control instant that is scheduled
}

func (o *oneByOne) Arrive(now int64, slot int32) {
	s := o.lane.Attempt(slot)
	one := o.single.of(s, o.lane.carried(slot))
	for o.decider.Decide(one, 0, 1, o.verdict[:]) == 0 {
		o.decider.Step(o.decider.Next())
	}
	if v := o.verdict[0]; v.Admitted() {
		o.lane.Admit(slot, v.Cause())
	} else {
		o.lane.Reject(slot, v.Cause())
	}
	o.schedule()
}

// schedule has the next control instant fired, unless it is due to be already.
func (o *oneByOne) schedule() {
	if next := o.decider.Next(); next < o.due {
		o.due = next
		o.lane.Schedule(next, 0, 0)
	}
}

func (o *oneByOne) Fire(e Event) {
	if e.Time != o.due {
		return // an earlier one has taken its place
	}
	for o.decider.Next() <= e.Time {
		o.decider.Step(o.decider.Next())
	}
	o.due = Never
	o.schedule()
}

func (*oneByOne) Completed(int64, int32, int64) {}
func (*oneByOne) Finish(*measure.Recorder)      {}

// Inspect is asked about the attempt that is being decided.
func (o *oneByOne) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	return o.decider.Inspect(key, o.single.client[0], now, cost)
}

// single is a block of one attempt.
type single struct {
	arrivals            Arrivals
	time, cost          [1]int64
	key, tenant, client [1]int32
	verdicts            [1]counters.Verdict
	admitted            [1]int64
	first               [2]int32
	descriptors         traffic.Descriptors
}

// of fills the block; keys is nil where requests have only one.
func (b *single) of(s *Attempt, keys []int32) *Arrivals {
	b.time[0], b.cost[0] = s.Arrival, s.Cost
	b.key[0], b.tenant[0], b.client[0] = s.Key, s.Tenant, s.Client
	a := &b.arrivals
	if a.Time == nil {
		*a = Arrivals{
			Time: b.time[:], Key: b.key[:], Tenant: b.tenant[:], Client: b.client[:], Cost: b.cost[:],
			Verdicts: b.verdicts[:], Admitted: b.admitted[:],
		}
	}
	a.First, a.Descriptors = s.Index, nil
	if keys != nil {
		b.first[1] = int32(len(keys))
		b.descriptors = traffic.Descriptors{First: b.first[:], Keys: keys}
		a.Descriptors = &b.descriptors
	}
	return a
}
