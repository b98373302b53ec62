package limiters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// Parts returns the algorithms that run in a row: the algorithm itself, or in a
// rollout the old and the new one. One that no client ever uses and that counts
// nothing is left out.
func Parts(a *scenarios.Algorithm) []*scenarios.Algorithm {
	list, r := a.Stages(), a.Rollout
	switch {
	case r == nil || r.Shared():
	case r.Clients == 0:
		return list[:1]
	case r.Share.Num == r.Share.Den && r.Until == 0:
		return list[1:]
	}
	return list
}

// mixed describes a fleet in a rollout, which runs two algorithms.
func mixed(a *scenarios.Algorithm) *engine.Limiter {
	parts := Parts(a)
	l := &engine.Limiter{
		Entry:    Of(parts[0]).Entry,
		Settles:  true, // Check looks at the parts
		Check:    checkParts(parts),
		Executor: executorOf(parts),
		Random: func(s *engine.Setting, _ *scenarios.Algorithm) bool {
			return slices.ContainsFunc(parts, func(part *scenarios.Algorithm) bool { return Draws(s, part) })
		},
		Waits: func(s *engine.Setting, _ *scenarios.Algorithm) *counting.Waiting {
			if waits := bounds(s, parts); len(waits) > 0 {
				return &waits[0]
			}
			return nil
		},
		KeyBytes: func(_ *scenarios.Algorithm, clients int) (bytes int64) {
			for _, part := range parts {
				bytes += Of(part).MemoryPerKey(part, clients)
			}
			return bytes
		},
		Predict: func(*scenarios.Scenario) catalog.Prediction {
			return catalog.NoPrediction("a fleet in a rollout has no closed form")
		},
	}
	for _, part := range parts {
		l.AffectedBy = append(l.AffectedBy, Of(part).AffectedBy...)
		l.Reports = l.Reports || Of(part).Reports
		l.ClientBytes += Of(part).ClientBytes
	}
	if slices.ContainsFunc(parts, func(part *scenarios.Algorithm) bool { return Of(part).Servers != nil }) {
		l.Servers = func(s *engine.Setting, _ *scenarios.Algorithm) (n int) {
			for _, part := range parts {
				n += serversOf(s, part)
			}
			return n
		}
	}
	if a.Rollout.Shared() {
		service := Service(a)
		l.Check, l.Executor, l.Servers = checkOneService(a), Of(service).Executor, Of(service).Servers
	}
	return l
}

// Service returns the algorithm whose servers count in a rollout with one service.
func Service(a *scenarios.Algorithm) *scenarios.Algorithm {
	list := a.Stages()
	if a.Rollout.Service == scenarios.NewService {
		return list[1]
	}
	return list[0]
}

func serversOf(s *engine.Setting, a *scenarios.Algorithm) int {
	if l := Of(a); l.Servers != nil {
		return l.Servers(s, a)
	}
	return 0
}

func checkParts(parts []*scenarios.Algorithm) func(*engine.Setting, *scenarios.Algorithm) error {
	return func(s *engine.Setting, _ *scenarios.Algorithm) error {
		for _, part := range parts {
			if err := Check(s, part); err != nil {
				if len(parts) > 1 {
					err = fmt.Errorf("in its rollout, %s: %w", part.Name, err)
				}
				return err
			}
		}
		if waits := bounds(s, parts); len(waits) > 1 {
			return fmt.Errorf("%s and %s delay requests with different bounds, so no one reference fits both", parts[0].Name, parts[1].Name)
		}
		return nil
	}
}

func checkOneService(a *scenarios.Algorithm) func(*engine.Setting, *scenarios.Algorithm) error {
	return func(s *engine.Setting, _ *scenarios.Algorithm) error {
		parts := Parts(a)
		l := Of(parts[0])
		if !l.OneService || l != Of(parts[1]) {
			names := Names(func(l *engine.Limiter) bool { return l.OneService })
			return fmt.Errorf("a rollout with service: %s needs two algorithms of one enforcement that can share its servers (%s), and %s is %s, %s is %s",
				a.Rollout.Service, strings.Join(names, ", "), parts[0].Name, parts[0].Enforcement, parts[1].Name, parts[1].Enforcement)
		}
		for _, part := range parts {
			if _, has, _ := engine.SidecarLatency(part); has {
				return fmt.Errorf("a rollout with service: %s does not support a sidecar, and %s has one", a.Rollout.Service, part.Name)
			}
		}
		return checkParts(parts)(s, a)
	}
}

// bounds returns the different bounds on waiting of some algorithms.
func bounds(s *engine.Setting, parts []*scenarios.Algorithm) (waits []counting.Waiting) {
	for _, part := range parts {
		if l := Of(part); l.Waits != nil {
			if w := l.Waits(s, part); w != nil && !slices.Contains(waits, *w) {
				waits = append(waits, *w)
			}
		}
	}
	return waits
}

func executorOf(parts []*scenarios.Algorithm) func(*engine.Trial) (engine.Executor, error) {
	return func(t *engine.Trial) (engine.Executor, error) {
		if len(parts) == 1 {
			own := *t
			own.Algorithm = parts[0]
			return NewExecutor(&own)
		}
		var built [2]engine.Part
		for i, part := range parts {
			built[i] = engine.Part{Algorithm: part, Executor: NewExecutor, Servers: serversOf(t.Setting, part)}
		}
		return engine.NewMixedExecutor(t, engine.NewConversion(t.Setting, t.Algorithm.Rollout), built)
	}
}

// unaffectedParts returns why a fault cannot affect any part of a row, or "" if it
// can. In a rollout with one service, faults of servers affect that service.
func unaffectedParts(s *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	parts := Parts(a)
	if a.Rollout.Shared() {
		parts = []*scenarios.Algorithm{Service(a)}
	}
	var whys []string
	for _, part := range parts {
		why := Unaffected(s, part, f)
		if why == "" {
			return ""
		}
		if len(parts) > 1 {
			why = part.Name + ": " + why
		}
		whys = append(whys, why)
	}
	return strings.Join(whys, "; ")
}
