// Package engine is what an enforcement is given to run an algorithm: the setting
// of a scenario, the limits in force, and where to report.
package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// MaxPairs bounds the counters that one trial may need: 2^28 of them are some
// 4 GiB.
const MaxPairs = 1 << 28

// Setting is what is the same for all trials of a scenario.
type Setting struct {
	Scenario *scenarios.Scenario
	Limit    counter.Limit // of the policy; of the first one where there are several
	Keys     int           // there are, with ids from 0
	Policies []Policy      // where requests carry descriptors, else nil
	MaxCost  int64         // of any request
	Origin   int64         // ns; everything starts then, at its initial state
	Start    int64         // ns; of the measured span
	End      int64         // ns; of the simulation

	// Faults are those of the trial's replication; nil where there are none.
	Faults *faults.Timeline
}

// Clients is how many clients there are.
func (s *Setting) Clients() int { return s.Scenario.Topology.Clients }

// Servers is how many servers the limiter has.
func (s *Setting) Servers() int { return s.Scenario.Topology.Servers }

// Latency is the law of one call from a client to a server and back.
func (s *Setting) Latency() (random.Latency, error) {
	return LatencyOf(s.Scenario.Topology.Network)
}

// Trial is one algorithm in one replication of a scenario, with what its lane
// reports to.
type Trial struct {
	*Setting
	Sinks
	Algorithm   *scenarios.Algorithm
	Replication int
}

// Stream is one of the trial's own random streams.
func (t *Trial) Stream(what string) random.Stream {
	return random.New(t.Scenario.Seed, t.Replication, "algorithm/"+t.Algorithm.Name+"/"+what)
}
