package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover/described"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	simrover "github.com/limitgauge/limitgauge/sim/limiters/rover"
)

// kind describes how the central limiter runs a counter.
type kind struct {
	onePolicy    string                                                            // see engine.Limiter
	drains       bool                                                              // refusal: drains is supported
	cannotSettle bool                                                              // its charges cannot be corrected when a cost becomes known
	waits        func(s *engine.Setting, a *scenarios.Algorithm) *counting.Waiting // see engine.Limiter; nil for counters that decide at arrival
	check        func(s *engine.Setting, a *scenarios.Algorithm) error
	executor     func(t *engine.Trial) (engine.Executor, error)
}

// Counters declares all counters, in the order of `list`.
func Counters() []catalog.Entry { return append(counting.Entries(), described.Entry()) }

func kindOf(a *scenarios.Algorithm) kind {
	switch {
	case a.Counter == described.Entry().Name:
		return rovers
	case counting.IsQueue(a.Counter):
		return queue
	}
	return table
}

var rovers = kind{
	onePolicy: "a caller sleeps until one bucket has released its claim, and the published algorithm has no claim on several buckets",
	waits:     simrover.Waits,
	check: func(s *engine.Setting, a *scenarios.Algorithm) error {
		_, err := simrover.Check(s, a)
		return err
	},
	executor: simrover.Executor,
}

var queue = kind{
	cannotSettle: true,
	waits: func(s *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
		if s.MultiPolicy() {
			return nil // there is no exact shaper of several limits
		}
		return counting.WaitingOf(a.Counter, s.Limit, a.Options)
	},
	check: func(s *engine.Setting, a *scenarios.Algorithm) error {
		return s.EachLimit(func(limit counting.Limit, _ int) error {
			_, err := s.NewQueue(a, limit, 0)
			return err
		})
	},
	executor: func(t *engine.Trial) (engine.Executor, error) {
		if t.MultiPolicy() {
			return engine.NewJointQueueExecutor(t)
		}
		return engine.NewQueueExecutor(t.Sinks, t.Start, engine.Must(t.NewQueue(t.Algorithm, t.Limit, t.Keys))), nil
	},
}

var table = kind{
	drains: true,
	check:  func(s *engine.Setting, a *scenarios.Algorithm) error { return s.CheckTables(a, engine.Whole) },
	executor: func(t *engine.Trial) (engine.Executor, error) {
		a := t.Algorithm
		joint := engine.IsJoint(t.Setting, a)
		var counters counting.Table
		if joint {
			counters = engine.Must(engine.NewTables(t.Setting, a, engine.Whole))
		} else {
			counters = engine.Must(t.NewTable(a, t.Limit, engine.Whole, t.Keys))
		}
		switch {
		case t.Settles:
			return newSettling(t, counters), nil
		case joint:
			return engine.NewBlockExecutor(t.Sinks, engine.NewJointDecider(counting.JointOf(a.Options), counters)), nil
		}
		return engine.NewBlockExecutor(t.Sinks, engine.NewTableDecider(counters)), nil
	},
}
