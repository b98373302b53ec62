// Package custom simulates limiters that are not part of limitgauge: it passes them
// the requests of a trial and receives their decisions. Package outside declares what
// such a limiter must do.
//
// The package makes no promise: it can change at any time.
package custom

import (
	"cmp"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	algorithm "github.com/limitgauge/limitgauge/algorithms/custom"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Limiter describes the limiters that are not part of limitgauge.
var Limiter = engine.Limiter{
	Entry:    algorithm.Entry(),
	Check:    check,
	Executor: newExecutor,
	Outside:  true,
	Random:   func(_ *engine.Setting, a *scenarios.Algorithm) bool { return a.Options.Bool("draws") },
	Waits:    waits,
	OnePolicy: "a limiter of your own decides a request under one key, and the order in which it should " +
		"charge several is not known",
	KeyBytes: func(_ *scenarios.Algorithm, clients int) int64 { return 64 + 64*int64(clients) },
}

// maxPrograms is the largest number of programs that one trial starts.
const maxPrograms = 256

// instancesOf returns the number of limiters of a row.
func instancesOf(s *engine.Setting, a *scenarios.Algorithm) int {
	if a.Options.String("instances") == "per-client" {
		return s.Clients()
	}
	return 1
}

// waits returns the bound on waiting of a row that waits.
func waits(_ *engine.Setting, a *scenarios.Algorithm) *counting.Waiting {
	if !a.Options.Bool("waits") {
		return nil
	}
	if a.Options.Set("max_wait") {
		return &counting.Waiting{Time: a.Options.Duration("max_wait")}
	}
	return &counting.Waiting{Time: counting.Never}
}

func check(s *engine.Setting, a *scenarios.Algorithm) error {
	set, n := a.Options.Set("exec"), instancesOf(s, a)
	return cmp.Or(
		catalog.ErrorIf(set && len(a.Options.List("exec")) == 0, "exec is empty: want the program, then its arguments"),
		catalog.ErrorIf(set && n > maxPrograms,
			"instances: per-client would start %d programs, at most %d run together", n, maxPrograms),
		new(caller).compareWith(s, a, 0))
}

// programOf returns what a trial says to the maker of its limiters.
func programOf(t *engine.Trial) outside.Program {
	o := t.Algorithm.Options
	p := outside.Program{
		Row: t.Algorithm.Name, Dir: t.Dir, Timeout: time.Duration(o.Duration("timeout")),
		Limit: t.Limit, Instances: instancesOf(t.Setting, t.Algorithm), Replication: t.Replication, OriginNs: t.Origin,
	}
	if t.Algorithm.Preset != "" {
		p.Row = t.Algorithm.Preset
	}
	if t.Keys > 0 {
		p.Key = t.KeyName(0)
	}
	for _, word := range o.List("exec") {
		p.Exec = append(p.Exec, word.(string))
	}
	seeds := t.Stream("program")
	p.Seed = seeds.Uint64() >> 11 // below 2^53: JSON numbers are floats in some languages
	return p
}

// newExecutor returns the executor of a row: for limiters that block, that wait, or
// that decide at arrival.
func newExecutor(t *engine.Trial) (engine.Executor, error) {
	fleet, err := t.Outside.Make(programOf(t))
	if err != nil {
		return nil, err
	}
	c, err := newCaller(t, fleet)
	if err != nil {
		return nil, err
	}
	if limiters, ok := fleet.(outside.Concurrent); ok {
		return newInFlight(t, c, limiters)
	}
	if _, blocks := fleet.(outside.Blocking); blocks {
		return newBlockingExecutor(t, c)
	}
	if t.Algorithm.Options.Bool("waits") {
		return newWaitingExecutor(t, c), nil
	}
	return engine.NewBlockExecutor(t.Sinks, &decider{c}), nil
}
