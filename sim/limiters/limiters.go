// Package limiters is the engine's registry of what runs algorithms. The
// packages below it put counters where they live and own the wire between the
// halves that exchange messages, with its delays, losses and faults.
package limiters

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters/batchreported"
	"github.com/limitgauge/limitgauge/sim/limiters/broadcast"
	"github.com/limitgauge/limitgauge/sim/limiters/central"
	"github.com/limitgauge/limitgauge/sim/limiters/clientthrottle"
	"github.com/limitgauge/limitgauge/sim/limiters/delayedsync"
	"github.com/limitgauge/limitgauge/sim/limiters/gossip"
	"github.com/limitgauge/limitgauge/sim/limiters/leases"
	"github.com/limitgauge/limitgauge/sim/limiters/local"
	"github.com/limitgauge/limitgauge/sim/limiters/prefetch"
	"github.com/limitgauge/limitgauge/sim/limiters/remote"
	"github.com/limitgauge/limitgauge/sim/limiters/shards"
	"github.com/limitgauge/limitgauge/sim/limiters/sql"
)

// registry is the engine's side of the registry in package algorithms.
var registry = map[string]engine.Enforcement{
	"central":         central.Central,
	"local":           local.Local,
	"batch-reported":  batchreported.BatchReported,
	"client-throttle": clientthrottle.ClientThrottle,
	"leases":          leases.Leases,
	"prefetch":        prefetch.Prefetch,
	"remote":          remote.Remote,
	"shards":          shards.Shards,
	"sql":             sql.SQL,
	"broadcast":       broadcast.Broadcast,
	"delayed-sync":    delayedsync.DelayedSync,
	"gossip":          gossip.Gossip,
}

// Of is the enforcement of an algorithm.
func Of(a *scenarios.Algorithm) engine.Enforcement { return registry[a.Enforcement] }

// Check refuses an algorithm that cannot run in a setting.
func Check(s *engine.Setting, a *scenarios.Algorithm) error {
	e := Of(a)
	if s.MultiPolicy() && !e.MultiPolicy {
		return fmt.Errorf("enforcement %s %w", a.Enforcement, engine.ErrOnePolicy)
	}
	return e.Check(s, a)
}
