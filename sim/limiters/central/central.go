// Package central simulates one counter per key that every client asks without delay.
//
// The package makes no promise: it can change at any time.
package central

import (
	"cmp"

	algorithm "github.com/limitgauge/limitgauge/algorithms/central"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// Limiter describes one counter per key that all clients ask without delay.
var Limiter = engine.Limiter{
	Entry:          algorithm.Entry(),
	Presets:        algorithm.Presets(),
	Check:          check,
	Executor:       func(t *engine.Trial) (engine.Executor, error) { return kindOf(t.Algorithm).executor(t) },
	Waits:          waits,
	KeyBytes:       engine.CounterBytes,
	AffectedBy:     []string{"policy-change"},
	Settles:        true,
	CountsRequests: true,
	Sidecar:        true,
	Worst:          worst,
}

// worst returns the bound of the counter, which has no other part.
func worst(s *scenarios.Scenario) catalog.Predicted {
	a := &s.Algorithms[0]
	if _, has, _ := engine.SidecarLatency(a); has {
		return catalog.Predicted{Why: "a sidecar delays decisions"}
	}
	return counting.WorstExcess(a.Counter, theory.LimitOf(s), a.Options)
}

func waits(s *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
	if k := kindOf(a); k.waits != nil {
		return k.waits(s, a)
	}
	return nil
}

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	k := kindOf(a)
	return cmp.Or(
		catalog.ErrorIf(k.cannotSettle && s.Settles,
			"counter %s delays requests, and its queue cannot be corrected when a cost becomes known", a.Counter),
		catalog.ErrorIf(k.onePolicy != "" && s.MultiPolicy(),
			"counter %s %w: %s", a.Counter, engine.ErrOnePolicy, k.onePolicy),
		catalog.ErrorIf(!k.drains && counting.JointOf(a.Options).Drains,
			"refusal: drains is for counters that decide at arrival, not for %s", a.Counter),
		k.check(s, a))
}
