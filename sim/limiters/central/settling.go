package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// settling decides requests whose costs become known with their answers.
type settling struct {
	executor *engine.EventExecutor
	counters counting.Table
	joint    counting.Joint
	book     *settlement.Book
}

func newSettling(t *engine.Trial, counters counting.Table) engine.Executor {
	s := &settling{executor: engine.NewEventExecutor(t.Sinks, t.Start), counters: counters, joint: counting.JointOf(t.Algorithm.Options), book: settlement.NewBook(t, counters)}
	s.book.Schedule = func(at int64, what settlement.Event, ref int32) {
		s.executor.Schedule(at, uint32(what), ref)
	}
	s.executor.Run(s)
	return s.executor
}

func (s *settling) Arrive(now int64, slot int32) {
	estimate, answer := s.executor.Estimate(slot)
	keys, cost := s.executor.Keys(slot), s.executor.Attempt(slot).Cost
	charge := s.book.Charge(keys, estimate)
	v := s.book.Take(s.joint, s.counters, keys, now, charge)
	if v.Admitted() && s.book.Corrects() {
		s.book.Dispatch(now, answer, s.book.Open(now, keys, charge, cost))
	}
	s.executor.Settle(slot, v)
}

func (s *settling) Fire(e engine.Event) {
	s.book.Happen(e.Time, settlement.Event(e.Kind), e.Ref)
}

func (s *settling) Inspect(key, _ int32, now, estimate int64) (level, retryAt int64) {
	charge := s.book.Charge([]int32{key}, estimate)
	return s.counters.Level(key, now), s.counters.RetryAt(key, now, max(charge, 1))
}
