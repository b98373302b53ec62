// Package network simulates what limiters send over a network: latency, loss,
// duplication, reordering and partitions of messages, timeouts of calls, the
// owners of keys, and the faults that change the nodes at either end.
//
// Latencies come from a Hop, the outcomes of messages from a Link. Messages
// sends one-way messages to any number of nodes; Calls sends requests that time
// out. Changes and Owners follow the faults that change nodes.
//
// The package makes no promise: it can change at any time.
package network

import (
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Server is the number of a node that is not a client. Partitions of clients do
// not affect it.
const Server = int32(-1)

// CallFaults lists the kinds of faults that affect calls to the owners of keys.
var CallFaults = []string{"network", "partition", "server-restart", "server-crash", "reshard", "server-added", "server-removed", "server-latency", "autoscale", "policy-change"}

// MessageFaults lists CallFaults and the kinds that affect background messages.
var MessageFaults = append([]string{"report-loss", "report-delay", "report-duplicate", "report-reorder"}, CallFaults...)

// ClientsServe counts every client as a server: a message to a peer is a call
// to it.
func ClientsServe(s *engine.Setting, _ *scenarios.Algorithm) int { return s.Clients() }

// OneServer counts the one store that all clients use.
func OneServer(*engine.Setting, *scenarios.Algorithm) int { return 1 }

// DrawsLatency reports whether the latency of the scenario's network is random.
func DrawsLatency(s *engine.Setting, _ *scenarios.Algorithm) bool {
	latency := s.Latency()
	return latency.Random()
}

// StoreLosses returns the failovers of the store that lose its latest writes.
func StoreLosses(t *engine.Trial) (losses []remote.Loss) {
	for _, r := range t.Faults.Lost(t.Origin-1, t.End) {
		if r.Server == faults.Store {
			losses = append(losses, remote.Loss{At: r.At, Since: r.LoseFrom})
		}
	}
	return losses
}
