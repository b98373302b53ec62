package cli

import (
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/report/gate"
)

// stopwatch measures how long a run takes, and on which scenarios its workers spend
// the time. The zero value is ready.
type stopwatch struct {
	run time.Duration

	mu   sync.Mutex
	busy map[string]time.Duration // by scenario, summed over workers
}

// started begins to count the time of one worker for a scenario. The function that
// it returns ends that.
func (s *stopwatch) started(scenario string) (ended func()) {
	start := time.Now()
	return func() { s.add(scenario, time.Since(start)) }
}

func (s *stopwatch) add(scenario string, taken time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy == nil {
		s.busy = map[string]time.Duration{}
	}
	s.busy[scenario] += taken
}

// took divides the time of the run among the scenarios, in proportion to the time
// that workers spent on them. Scenarios run in parallel, so their own times would add
// up to more than the run. What serves all scenarios, such as reading logs, is
// divided too.
func (s *stopwatch) took() gate.Took {
	var total time.Duration
	for _, taken := range s.busy {
		total += taken
	}
	took := gate.Took{Run: s.run, Scenarios: map[string]time.Duration{}}
	for scenario, taken := range s.busy {
		took.Scenarios[scenario] = time.Duration(float64(s.run) * (float64(taken) / float64(max(1, total))))
	}
	return took
}
