// Package inplace runs limiters that decide where the request is, at once:
// counters that everybody sees and counters of each client.
package inplace

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/enforcements/rovers"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// Central is one counter a key that everybody asks at once.
var Central = trial.Enforcement{Check: checkCentral, Random: trial.NoDraws, Delays: delaysCentral, Servers: trial.NoServers, Lane: centralLane, Several: true, Bitten: []string{"policy-change"}}

// centralDecider asks one table, at once, for everybody.
type centralDecider struct {
	table counters.Table
}

func (d centralDecider) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	if hi == lo+1 { // callers try again at once: no block's worth of setting up
		verdicts[0] = d.table.Take(a.Key[lo], a.Time[lo], a.Cost[lo])
		return 1
	}
	d.table.TakeBlock(a.Key[lo:hi], a.Time[lo:hi], a.Cost[lo:hi], verdicts)
	return hi - lo
}

func (centralDecider) Next() int64 { return lanes.Never }
func (centralDecider) Step(int64)  {}

func (d centralDecider) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

func checkCentral(s *trial.Setting, a *scenarios.Algorithm) error {
	var err error
	delays := a.Counter == "rover" || counters.IsQueue(a.Counter)
	switch {
	case delays && s.Several():
		return fmt.Errorf("counter %s %w", a.Counter, trial.ErrOnePolicy)
	case delays && trial.IsJoint(s, a):
		return fmt.Errorf("refusal: drains is for counters that decide at arrival, not for %s", a.Counter)
	case a.Counter == "rover":
		_, err = rovers.Check(s, a)
	case counters.IsQueue(a.Counter):
		_, err = s.NewQueue(a, s.Limit, 0)
	default:
		err = s.EachLimit(func(limit counters.Limit, _ int) error {
			_, err := s.NewTable(a, limit, trial.Whole, 0)
			return err
		})
	}
	return err
}

func delaysCentral(a *scenarios.Algorithm) bool {
	if a.Counter == "rover" {
		return a.Options.String("when_short") == "wait" && a.Options.Duration("max_wait") > 0
	}
	return counters.IsQueue(a.Counter) && !a.Options.Bool("nodelay")
}

func centralLane(t *trial.Trial) (lanes.Lane, error) {
	a := t.Algorithm
	if a.Counter == "rover" {
		return rovers.Lane(t)
	}
	if counters.IsQueue(a.Counter) {
		queue, err := t.NewQueue(a, t.Limit, t.Keys)
		if err != nil {
			return nil, err
		}
		return QueueLane(t.Books, t.Start, queue), nil
	}
	if trial.IsJoint(t.Setting, a) {
		tables, err := trial.NewTables(t.Setting, a, trial.Whole)
		if err != nil {
			return nil, err
		}
		return lanes.NewBlockLane(t.Books, jointDecider{counters.JointOf(a.Options), tables}), nil
	}
	table, err := t.NewTable(a, t.Limit, trial.Whole, t.Keys)
	if err != nil {
		return nil, err
	}
	return lanes.NewBlockLane(t.Books, centralDecider{table}), nil
}
