// Package enforcements runs algorithms: it puts their counters where they live,
// and owns the wire between the halves that exchange messages, with its delays,
// losses and faults.
package enforcements

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// Enforcement is how the simulator runs one kind of algorithm.
type Enforcement struct {
	// Check refuses what the scenario language cannot rule out by itself.
	Check func(s *Setting, a *scenarios.Algorithm) error
	// Random reports whether it draws random numbers of its own.
	Random func(s *Setting, a *scenarios.Algorithm) bool
	// Delays reports whether callers may have to wait inside the limiter.
	Delays func(a *scenarios.Algorithm) bool
	// Servers is how many servers of its own it asks.
	Servers func(s *Setting, a *scenarios.Algorithm) int
	// Bitten are the kinds of faults that change what it does, but for those
	// that change the traffic: see Feels.
	Bitten []string
	// Several says that it can put a request under several policies.
	Several bool
	// Lane makes what runs the algorithm in one trial.
	Lane func(t *Trial) (lanes.Lane, error)
}

// registry is the engine's side of the registry in package algorithms.
var registry = map[string]Enforcement{
	"central":         central,
	"local":           local,
	"batch-reported":  reportedEnforcement,
	"client-throttle": throttleEnforcement,
	"leases":          leasesEnforcement,
	"prefetch":        prefetchEnforcement,
	"remote":          remoteEnforcement,
	"shards":          shardsEnforcement,
	"sql":             sqlEnforcement,
	"broadcast":       broadcastEnforcement,
	"delayed-sync":    delayedEnforcement,
	"gossip":          gossipEnforcement,
}

// Of is the enforcement of an algorithm.
func Of(a *scenarios.Algorithm) Enforcement { return registry[a.Enforcement] }

// Check refuses an algorithm that cannot run in a setting.
func Check(s *Setting, a *scenarios.Algorithm) error {
	e := Of(a)
	if s.Several() && !e.Several {
		return fmt.Errorf("enforcement %s %w", a.Enforcement, errOnePolicy)
	}
	return e.Check(s, a)
}

// Feels reports whether a kind of fault can change what the enforcement does.
func (e Enforcement) Feels(kind string) bool { return slices.Contains(e.Bitten, kind) }

func noDraws(*Setting, *scenarios.Algorithm) bool            { return false }
func neverDelays(*scenarios.Algorithm) bool                  { return false }
func noServers(*Setting, *scenarios.Algorithm) int           { return 0 }
func topologyServers(s *Setting, _ *scenarios.Algorithm) int { return s.Servers() }
