package engine

import (
	"strconv"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// maxPairs is the largest number of counters that one trial may need: 2^28,
// about 4 GiB.
const maxPairs = 1 << 28

// Setting holds what all trials of a scenario have in common.
type Setting struct {
	Scenario *scenarios.Scenario
	Limit    counting.Limit // of the first policy in a multi-policy scenario
	Keys     int            // number of keys; their ids begin at 0
	Policies []Policy       // nil unless requests carry descriptors
	MaxCost  int64          // largest cost, or estimate of a cost, of any request
	Settles  bool           // costs become known with the answer: see Arrivals
	Origin   int64          // ns; start of the simulation, with all state initial
	Start    int64          // ns; start of the measured span
	End      int64          // ns; end of the simulation

	// Draws selects the random draws of limiters and their networks: other values
	// give other draws, with the same traffic. 0 gives those of the scenario's seed.
	Draws uint64
	// KeyName returns the name of a key as the traffic has it, and Dir is the directory
	// of the scenario file. Limiters outside of this program need them.
	KeyName func(key int32) string
	Dir     string

	// Faults holds the faults of the trial's replication, nil if there are
	// none.
	Faults *faults.Timeline
}

// Clients returns the number of clients.
func (s *Setting) Clients() int { return s.Scenario.Topology.Clients }

// Servers returns the number of servers of the limiter at the beginning.
func (s *Setting) Servers() int { return s.Scenario.Topology.Servers }

// AllServers returns the number of servers with those that faults add.
func (s *Setting) AllServers() int {
	return s.Servers() + scenarios.AddedServers(s.Scenario.Faults)
}

// CheckPairs fails if n clients or servers, as what says, have more counters than one
// trial may need when each has one for every key.
func (s *Setting) CheckPairs(n int, what string) error {
	return catalog.ErrorIf(n > maxPairs/max(s.Keys, 1), "%d %s with %d keys each need more than %d counters", n, what, s.Keys, maxPairs)
}

// Latency returns the distribution of the round trip between a client and a
// server. limiters.Check has checked it.
func (s *Setting) Latency() random.Latency { return Must(LatencyOf(s.Scenario.Topology.Network)) }

// Must returns what a call has returned that a limiter's Check has made before. It
// panics if err is not nil.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Trial is one algorithm in one replication of a scenario, with the sinks of
// its executor.
type Trial struct {
	*Setting
	Sinks
	Algorithm   *scenarios.Algorithm
	Replication int
	Outside     *Outside
	FirstServer int    // number of the limiter's server 0 among all servers of the row
	converted   bool   // of the two algorithms of a rollout, it is the new one
	policy      string // if the executor runs one limiter for each policy, this one's policy, except for the first
}

// Load returns the meter of requests to the limiter's servers and its store.
func (t *Trial) Load() *measure.Load { return t.Recorder.Load().From(t.FirstServer) }

// Part returns the trial of one algorithm of a row: number 0, or in a rollout also the
// new one, number 1.
func (t *Trial) Part(number int, a *scenarios.Algorithm) *Trial {
	own := *t
	own.Algorithm, own.converted = a, number > 0
	return &own
}

// Stream returns one of the trial's random streams by its name. Equal names
// give equal streams. If the scenario has common streams, the rows of a replication
// have equal streams, too.
func (t *Trial) Stream(what string) random.Stream {
	name := "algorithm/" + t.Algorithm.Name
	if t.Scenario.CommonStreams {
		name = "algorithms"
		if t.converted {
			name = "algorithms/rollout"
		}
	}
	if t.policy != "" {
		name += "/policy " + t.policy
	}
	name += "/" + what
	if t.Draws != 0 {
		name = "draws " + strconv.FormatUint(t.Draws, 10) + "/" + name
	}
	return random.New(t.Scenario.Seed, t.Replication, name)
}
