package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// errTooMuch ends a run that has more to do than a page may ask for.
var errTooMuch = errors.New("too much work")

// document returns the document of a view with all its replications, from those that are
// kept or by a run.
func (e *Explorer) document(ctx context.Context, v View) (*results.Document, error) {
	_, text, err := e.bind(v)
	if err != nil {
		return nil, err
	}
	if d := e.known(string(text)); d != nil {
		return d, nil
	}
	return e.full(ctx, v.Scenario, text)
}

// full runs the text of a view with all its replications, and keeps the document.
func (e *Explorer) full(ctx context.Context, scenario string, text []byte) (*results.Document, error) {
	f, err := e.read(scenario, text)
	if err != nil {
		return nil, err
	}
	d, err := e.run(ctx, scenario, f)
	if err != nil {
		return nil, err
	}
	e.keep(string(text), d)
	return d, nil
}

// known returns a document that is kept, or nil.
func (e *Explorer) known(text string) *results.Document {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, k := range e.kept {
		if k.text == text {
			copy(e.kept[1:i+1], e.kept[:i]) // the last used is the first
			e.kept[0] = k
			return k.doc
		}
	}
	return nil
}

func (e *Explorer) keep(text string, d *results.Document) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept = append([]kept{{text, d}}, e.kept...)
	if len(e.kept) > mostKept {
		e.kept = e.kept[:mostKept]
	}
}

// run simulates a file of one scenario, alone: it waits for the run before it. A run that
// takes too long is refused.
func (e *Explorer) run(ctx context.Context, name string, f *scenarios.File) (*results.Document, error) {
	select {
	case e.running <- struct{}{}:
		defer func() { <-e.running }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	progress := &sim.Progress{}
	ended := make(chan struct{})
	defer close(ended)
	go watch(progress, cancel, ended)
	start := time.Now()
	d, err := sim.Run(ctx, f, sim.Options{
		Memory: min(cmp.Or(e.o.Memory, mostMemory), mostMemory), WorstKey: true, Progress: progress, Logs: &e.opened, Stamp: e.o.Stamp(f, rerun),
	})
	if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
		return nil, refusal(invalid.Problems)
	}
	if crowded, ok := errors.AsType[*sim.Crowded](err); ok {
		return nil, refusal([]scenarios.Problem{crowded.Problem})
	}
	if errors.Is(context.Cause(ctx), errTooMuch) {
		return nil, refuse("", fmt.Sprintf("this takes more than a page may: at most %s of simulation and %d million decisions. Make the duration shorter, or copy the command and run it", longestRun, mostWork/1_000_000))
	}
	if err != nil {
		return nil, err
	}
	e.measured(name, &f.Scenarios[0], time.Since(start))
	return d, nil
}

// watch ends a run that has too much to do, or takes too long.
func watch(p *sim.Progress, cancel context.CancelCauseFunc, ended chan struct{}) {
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	limit := time.NewTimer(longestRun)
	defer limit.Stop()
	for {
		select {
		case <-ended:
			return
		case <-limit.C:
			cancel(errTooMuch)
			return
		case <-ticker.C:
			if p.Total.Load() > mostWork {
				cancel(errTooMuch)
				return
			}
		}
	}
}

// measured remembers how long a scenario takes.
func (e *Explorer) measured(name string, s *scenarios.Scenario, took time.Duration) {
	seconds := max(float64(s.Duration)/float64(units.Second), 1e-3)
	one := time.Duration(float64(took) / seconds / float64(s.Replications))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.speed[name] = one
}

// guess is the time of a simulated second before a scenario has run.
const guess = 5 * time.Millisecond

// preview returns a view with fewer replications and, where one replication takes too
// long, a shorter duration, so that it takes about previewTime. said names the difference;
// it is "" if there is none.
func (e *Explorer) preview(v View, s *scenarios.Scenario) (shorter View, said string) {
	e.mu.Lock()
	second, known := e.speed[v.Scenario]
	e.mu.Unlock()
	if !known {
		second = guess
	}
	duration := max(float64(s.Duration)/float64(units.Second), 1e-3)
	one := max(float64(second)*duration, 1)
	n := min(s.Replications, max(1, int(float64(previewTime)/one)))
	var sets [][2]string
	var parts []string
	if n < s.Replications {
		sets = append(sets, [2]string{"replications", strconv.Itoa(n)})
		parts = append(parts, fmt.Sprintf("%d of %d replications", n, s.Replications))
	}
	if n > 1 || s.Duration == 0 {
		return v.with(sets...), strings.Join(parts, ", ")
	}
	window := s.LongestWindow()
	affordable := int64(float64(s.Duration) * float64(previewTime) / one)
	least := leastDuration(s)
	if shortest := 3 * window; affordable < least && s.Warmup > window && least == s.Warmup+2*window {
		sets = append(sets, [2]string{"warmup", units.FormatDuration(window)})
		parts = append(parts, fmt.Sprintf("warmup %s of %s", units.FormatDuration(window), units.FormatDuration(s.Warmup)))
		least = shortest
	}
	if cut := (max(affordable, least) + window - 1) / window * window; cut < s.Duration*9/10 {
		sets = append(sets, [2]string{"duration", units.FormatDuration(cut)})
		parts = append(parts, fmt.Sprintf("%s of %s", units.FormatDuration(cut), units.FormatDuration(s.Duration)))
	}
	return v.with(sets...), strings.Join(parts, ", ")
}

// leastDuration returns the shortest duration in which everything that the scenario
// plans still happens: the warmup, and the times of faults and of the traffic.
func leastDuration(s *scenarios.Scenario) int64 {
	least := s.Warmup + 2*s.LongestWindow()
	note := func(x int64) {
		if x < s.Duration {
			least = max(least, x+s.LongestWindow())
		} else if x > s.Duration {
			least = s.Duration
		}
	}
	for i := range s.Traffic {
		t := &s.Traffic[i]
		note(t.From)
		if t.To > 0 {
			note(t.To)
		}
		for name, value := range t.Options {
			if at, ok := value.V.(int64); ok && (name == "at" || name == "from" || name == "to" || name == "until") {
				note(at)
			}
		}
	}
	for _, f := range s.Faults {
		note(f.From)
		note(f.To)
	}
	if s.Guard != nil {
		for _, p := range s.Guard.Slow {
			note(p.To)
		}
	}
	return least
}

// ofScenario begins the field of a problem of a scenario.
var ofScenario = regexp.MustCompile(`^scenarios\[\d+\]\.`)

// settingOf returns the path of a setting from the field of a problem.
func settingOf(field string) string { return ofScenario.ReplaceAllString(field, "") }
