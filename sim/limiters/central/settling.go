package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
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

// Kinds of events, in their order within an instant.
const (
	answerArrives uint32 = iota
	eventOfBook          // and the following kinds
)

func newSettling(t *engine.Trial, counters counting.Table) engine.Executor {
	s := &settling{executor: engine.NewEventExecutor(t.Sinks, t.Start), counters: counters, joint: counting.JointOf(t.Algorithm.Options), book: settlement.NewBook(t, counters)}
	s.book.Schedule = func(at int64, what settlement.Event, ref int32) {
		s.executor.Schedule(at, eventOfBook+uint32(what), ref)
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
		ref := s.book.Open(now, keys, charge, cost)
		if s.book.Lost() {
			s.book.Lose(ref)
		} else {
			s.executor.Schedule(integers.Add(now, answer), answerArrives, ref)
		}
	}
	s.executor.Settle(slot, v)
}

func (s *settling) Fire(e engine.Event) {
	if e.Kind == answerArrives {
		s.book.Settle(e.Time, e.Ref)
		return
	}
	s.book.Happen(e.Time, settlement.Event(e.Kind-eventOfBook), e.Ref)
}

func (s *settling) Inspect(key, _ int32, now, estimate int64) (level, retryAt int64) {
	charge := s.book.Charge([]int32{key}, estimate)
	return s.counters.Level(key, now), s.counters.RetryAt(key, now, max(charge, 1))
}
