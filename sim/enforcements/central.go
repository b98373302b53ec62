package enforcements

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// central is one counter a key that everybody asks at once.
var central = Enforcement{Check: checkCentral, Random: noDraws, Delays: delaysCentral, Servers: noServers, Lane: centralLane}

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
	switch {
	case a.Counter == "rover":
		var config rover.Config
		if config, err = roverConfig(s, a, 0); err == nil {
			_, err = rover.New(config)
		}
	case counters.IsQueue(a.Counter):
		_, err = counters.NewQueue(a.Counter, s.Limit, a.Options, 0)
	default:
		_, err = counters.New(a.Counter, s.Limit, a.Options, 0)
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
		queue, err := counters.NewQueue(a.Counter, t.Limit, a.Options, t.Keys)
		if err != nil {
			return nil, err
		}
		return QueueLane(t.Books, t.Start, queue), nil
	}
	table, err := counters.New(a.Counter, t.Limit, a.Options, t.Keys)
	if err != nil {
		return nil, err
	}
	return TableLane(t.Books, table), nil
}

// TableLane is the lane of a counter that decides at arrival, asked at once by
// everybody.
func TableLane(b lanes.Books, table counters.Table) lanes.Lane {
	return lanes.NewBlockLane(b, centralDecider{table})
}
