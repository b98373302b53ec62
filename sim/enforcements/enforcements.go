// Package enforcements is the engine's registry of what runs algorithms. The
// packages below it put counters where they live and own the wire between the
// halves that exchange messages, with its delays, losses and faults.
package enforcements

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/enforcements/calls"
	"github.com/limitgauge/limitgauge/sim/enforcements/database"
	"github.com/limitgauge/limitgauge/sim/enforcements/inplace"
	"github.com/limitgauge/limitgauge/sim/enforcements/leasing"
	"github.com/limitgauge/limitgauge/sim/enforcements/neighbours"
	"github.com/limitgauge/limitgauge/sim/enforcements/reports"
	"github.com/limitgauge/limitgauge/sim/enforcements/rovers"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// registry is the engine's side of the registry in package algorithms.
var registry = map[string]trial.Enforcement{
	"central":         inplace.Central,
	"local":           inplace.Local,
	"batch-reported":  reports.BatchReported,
	"client-throttle": leasing.ClientThrottle,
	"leases":          leasing.Leases,
	"prefetch":        leasing.Prefetch,
	"remote":          calls.Remote,
	"shards":          rovers.Shards,
	"sql":             database.SQL,
	"broadcast":       neighbours.Broadcast,
	"delayed-sync":    neighbours.DelayedSync,
	"gossip":          neighbours.Gossip,
}

// Of is the enforcement of an algorithm.
func Of(a *scenarios.Algorithm) trial.Enforcement { return registry[a.Enforcement] }

// Check refuses an algorithm that cannot run in a setting.
func Check(s *trial.Setting, a *scenarios.Algorithm) error {
	e := Of(a)
	if s.Several() && !e.Several {
		return fmt.Errorf("enforcement %s %w", a.Enforcement, trial.ErrOnePolicy)
	}
	return e.Check(s, a)
}
