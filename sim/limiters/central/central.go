// Package central simulates one counter per key that every client asks without delay.
package central

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters/shards"
)

// Central is one counter a key that everybody asks at once.
var Central = engine.Enforcement{Check: checkCentral, Random: engine.NoDraws, Delays: delaysCentral, Servers: engine.NoServers, Executor: newCentral, MultiPolicy: true, AffectedBy: []string{"policy-change"}}

func checkCentral(s *engine.Setting, a *scenarios.Algorithm) error {
	var err error
	delays := a.Counter == "rover" || counter.IsQueue(a.Counter)
	switch {
	case delays && s.MultiPolicy():
		return fmt.Errorf("counter %s %w", a.Counter, engine.ErrOnePolicy)
	case delays && engine.IsJoint(s, a):
		return fmt.Errorf("refusal: drains is for counters that decide at arrival, not for %s", a.Counter)
	case a.Counter == "rover":
		_, err = shards.Check(s, a)
	case counter.IsQueue(a.Counter):
		_, err = s.NewQueue(a, s.Limit, 0)
	default:
		err = s.EachLimit(func(limit counter.Limit, _ int) error {
			_, err := s.NewTable(a, limit, engine.Whole, 0)
			return err
		})
	}
	return err
}

func delaysCentral(a *scenarios.Algorithm) bool {
	if a.Counter == "rover" {
		return a.Options.String("when_short") == "wait" && a.Options.Duration("max_wait") > 0
	}
	return counter.IsQueue(a.Counter) && !a.Options.Bool("nodelay")
}

func newCentral(t *engine.Trial) (engine.Executor, error) {
	a := t.Algorithm
	if a.Counter == "rover" {
		return shards.Executor(t)
	}
	if counter.IsQueue(a.Counter) {
		queue, err := t.NewQueue(a, t.Limit, t.Keys)
		if err != nil {
			return nil, err
		}
		return engine.NewQueueExecutor(t.Sinks, t.Start, queue), nil
	}
	if engine.IsJoint(t.Setting, a) {
		tables, err := engine.NewTables(t.Setting, a, engine.Whole)
		if err != nil {
			return nil, err
		}
		return engine.NewBlockExecutor(t.Sinks, engine.NewJointDecider(counter.JointOf(a.Options), tables)), nil
	}
	table, err := t.NewTable(a, t.Limit, engine.Whole, t.Keys)
	if err != nil {
		return nil, err
	}
	return engine.NewBlockExecutor(t.Sinks, engine.NewTableDecider(table)), nil
}
