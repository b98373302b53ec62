package engine

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios"
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
	// AffectedBy are the kinds of faults that change what it does, but for those
	// that change the traffic: see IsAffectedBy.
	AffectedBy []string
	// MultiPolicy says that it can put a request under several policies.
	MultiPolicy bool
	// Executor makes what runs the algorithm in one trial.
	Executor func(t *Trial) (Executor, error)
}

// IsAffectedBy reports whether a kind of fault can change what the enforcement does.
func (e Enforcement) IsAffectedBy(kind string) bool { return slices.Contains(e.AffectedBy, kind) }

func NoDraws(*Setting, *scenarios.Algorithm) bool            { return false }
func NeverDelays(*scenarios.Algorithm) bool                  { return false }
func NoServers(*Setting, *scenarios.Algorithm) int           { return 0 }
func TopologyServers(s *Setting, _ *scenarios.Algorithm) int { return s.Servers() }
