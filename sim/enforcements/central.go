package enforcements

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// central is one counter a key that everybody asks at once.
var central = Enforcement{Check: checkCentral, Random: noDraws, Delays: delaysCentral, Servers: noServers, Lane: centralLane, Several: true, Bitten: []string{"policy-change"}}

// centralDecider asks one table, at once, for everybody.
type centralDecider struct {
	table counters.Table
}

func (d centralDecider) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	d.table.TakeBlock(a.Key[lo:hi], a.Time[lo:hi], a.Cost[lo:hi], verdicts)
	return hi - lo
}

func (centralDecider) Next() int64 { return lanes.Never }
func (centralDecider) Step(int64)  {}

func (d centralDecider) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

func checkCentral(s *Setting, a *scenarios.Algorithm) error {
	var err error
	delays := a.Counter == "rover" || counters.IsQueue(a.Counter)
	switch {
	case delays && s.Several():
		return fmt.Errorf("counter %s %w", a.Counter, errOnePolicy)
	case delays && isJoint(s, a):
		return fmt.Errorf("refusal: drains is for counters that decide at arrival, not for %s", a.Counter)
	case a.Counter == "rover":
		_, err = checkRover(s, a)
	case counters.IsQueue(a.Counter):
		_, err = s.newQueue(a, s.Limit, 0)
	default:
		err = s.eachLimit(func(limit counters.Limit, _ int) error {
			_, err := s.newTable(a, limit, whole, 0)
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

func centralLane(t *Trial) (lanes.Lane, error) {
	a := t.Algorithm
	if a.Counter == "rover" {
		return roverLane(t)
	}
	if counters.IsQueue(a.Counter) {
		queue, err := t.newQueue(a, t.Limit, t.Keys)
		if err != nil {
			return nil, err
		}
		return QueueLane(t.Books, t.Start, queue), nil
	}
	if isJoint(t.Setting, a) {
		tables, err := newTables(t.Setting, a, whole)
		if err != nil {
			return nil, err
		}
		return lanes.NewBlockLane(t.Books, jointDecider{counters.JointOf(a.Options), tables}), nil
	}
	table, err := t.newTable(a, t.Limit, whole, t.Keys)
	if err != nil {
		return nil, err
	}
	return lanes.NewBlockLane(t.Books, centralDecider{table}), nil
}
