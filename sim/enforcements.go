package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
)

// trial is one algorithm in one replication of a scenario, with what its lane
// reports to.
type trial struct {
	plan        *plan
	algorithm   *scenarios.Algorithm
	replication int
	recorder    *measure.Recorder
	guard       *guard
	tap         *tap
	beside      beside
}

// stream is one of the trial's own random streams.
func (t *trial) stream(what string) random.Stream {
	return random.New(t.plan.scenario.Seed, t.replication, "algorithm/"+t.algorithm.Name+"/"+what)
}

// enforcement is how the simulator runs one kind of algorithm.
type enforcement struct {
	// check refuses what the scenario language cannot rule out by itself.
	check func(p *plan, a *scenarios.Algorithm) error
	// random reports whether it draws random numbers of its own.
	random func(p *plan, a *scenarios.Algorithm) bool
	// delays reports whether callers may have to wait.
	delays func(a *scenarios.Algorithm) bool
	// servers is how many servers of its own it asks.
	servers func(p *plan) int
	lane    func(t *trial) (lane, error)
}

// enforcements is the engine's side of the registry in package algorithms.
var enforcements = map[string]enforcement{
	"central":        {check: checkCentral, random: noDraws, delays: delaysCentral, servers: noServers, lane: centralLane},
	"local":          {check: checkLocal, random: noDraws, delays: neverDelays, servers: noServers, lane: localLane},
	"batch-reported": {check: checkReported, random: reportedDraws, delays: neverDelays, servers: topologyServers, lane: reportedLane},
}

func noDraws(*plan, *scenarios.Algorithm) bool { return false }
func neverDelays(*scenarios.Algorithm) bool    { return false }
func noServers(*plan) int                      { return 0 }
func topologyServers(p *plan) int              { return p.scenario.Topology.Servers }

func checkCentral(p *plan, a *scenarios.Algorithm) error {
	var err error
	switch {
	case a.Counter == "rover":
		var config rover.Config
		if config, err = roverConfig(p, a, 0); err == nil {
			_, err = rover.New(config)
		}
	case counters.IsQueue(a.Counter):
		_, err = counters.NewQueue(a.Counter, p.limit, a.Options, 0)
	default:
		_, err = counters.New(a.Counter, p.limit, a.Options, 0)
	}
	return err
}

func delaysCentral(a *scenarios.Algorithm) bool {
	if a.Counter == "rover" {
		return a.Options.String("when_short") == "wait" && a.Options.Duration("max_wait") > 0
	}
	return counters.IsQueue(a.Counter) && !a.Options.Bool("nodelay")
}

func centralLane(t *trial) (lane, error) {
	p, a := t.plan, t.algorithm
	if a.Counter == "rover" {
		return roverLane(t)
	}
	if counters.IsQueue(a.Counter) {
		queue, err := counters.NewQueue(a.Counter, p.limit, a.Options, p.traffic.Keys())
		if err != nil {
			return nil, err
		}
		return queueLane(t, queue), nil
	}
	table, err := counters.New(a.Counter, p.limit, a.Options, p.traffic.Keys())
	if err != nil {
		return nil, err
	}
	return newBlockLane(centralDecider{table}, t.recorder, t.guard, t.tap), nil
}

// queueLane is the event lane of a counter that says at arrival when it lets a
// request through.
func queueLane(t *trial, queue counters.Queue) *eventLane {
	l := newEventLane(t)
	l.limiter = &queueing{lane: l, queue: queue}
	return l
}

func roverConfig(p *plan, a *scenarios.Algorithm, start int64) (rover.Config, error) {
	return rover.Configure(p.limit.Count, p.limit.Window, p.limit.Burst, a.Options, start)
}

func roverLane(t *trial) (lane, error) {
	o := t.algorithm.Options
	config, err := roverConfig(t.plan, t.algorithm, 0)
	if err != nil {
		return nil, err
	}
	l := newEventLane(t)
	r := &rovers{
		lane:   l,
		capped: o.Bool("capped"),
		hold:   t.guard != nil,
		keys:   make([]roverKey, t.plan.traffic.Keys()),
		create: func(now int64) *rover.Bucket {
			config := config
			config.Start = now
			b, err := rover.New(config)
			if err != nil {
				panic(err) // checked by checkCentral
			}
			return b
		},
	}
	grid := int64(0)
	switch o.String("replenish") {
	case "timer":
		grid = o.Duration("replenish_interval")
	case "continuous":
		grid = 1
	}
	r.timer = newRoverTimer(grid, &config)
	if o.String("when_short") == "wait" {
		r.maxWait = o.Duration("max_wait")
	}
	l.limiter = r
	if t.guard != nil {
		t.guard.completed = r.completed
	}
	return l, nil
}

// maxPairs bounds the counters that one trial may need: 2^28 of them are some
// 4 GiB.
const maxPairs = 1 << 28

func checkLocal(p *plan, a *scenarios.Algorithm) error {
	clients, keys := p.scenario.Topology.Clients, p.traffic.Keys()
	if clients > maxPairs/max(keys, 1) {
		return fmt.Errorf("%d clients with %d keys each need more than %d counters", clients, keys, maxPairs)
	}
	_, err := counters.New(a.Counter, localLimit(p, a), a.Options, 0)
	return err
}

func localLane(t *trial) (lane, error) {
	p, a := t.plan, t.algorithm
	keys := p.traffic.Keys()
	table, err := counters.New(a.Counter, localLimit(p, a), a.Options, keys*p.scenario.Topology.Clients)
	if err != nil {
		return nil, err
	}
	return newBlockLane(newLocalDecider(table, keys), t.recorder, t.guard, t.tap), nil
}

// localLimit is what one client grants. A bucket's share of the rate is exact,
// as limit per N times the window; what has to be whole is rounded.
func localLimit(p *plan, a *scenarios.Algorithm) counters.Limit {
	limit, n := p.limit, int64(p.scenario.Topology.Clients)
	if a.Options.String("share") == "full" || n == 1 {
		return limit
	}
	part := func(whole int64) int64 {
		if a.Options.String("rounding") == "up" {
			whole += n - 1
		}
		return max(1, whole/n)
	}
	divided := counters.Limit{Count: part(limit.Count), Window: limit.Window, Burst: part(limit.Burst)}
	bucket := a.Counter == "token-bucket" || a.Counter == "gcra"
	if bucket && limit.Window <= never/n {
		divided.Count, divided.Window = limit.Count, limit.Window*n
	}
	return divided
}
