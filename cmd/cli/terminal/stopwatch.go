package terminal

import (
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/report/gate"
)

// Stopwatch measures how long a run takes, and on which scenarios its workers spend
// the time. The zero value is ready.
type Stopwatch struct {
	Run time.Duration

	mu   sync.Mutex
	busy map[string]time.Duration // by scenario, summed over workers
}

// Started begins to count the time of one worker for a scenario. The function that
// it returns ends that.
func (s *Stopwatch) Started(scenario string) (ended func()) {
	start := time.Now()
	return func() { s.add(scenario, time.Since(start)) }
}

func (s *Stopwatch) add(scenario string, taken time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy == nil {
		s.busy = map[string]time.Duration{}
	}
	s.busy[scenario] += taken
}

// Took divides the time of the run among the scenarios, in proportion to the time
// that workers spent on them. Scenarios run in parallel, so their own times would add
// up to more than the run. What serves all scenarios, such as reading logs, is
// divided too.
func (s *Stopwatch) Took() gate.Took {
	var total time.Duration
	for _, taken := range s.busy {
		total += taken
	}
	took := gate.Took{Run: s.Run, Scenarios: map[string]time.Duration{}}
	for scenario, taken := range s.busy {
		took.Scenarios[scenario] = time.Duration(float64(s.Run) * (float64(taken) / float64(max(1, total))))
	}
	return took
}
