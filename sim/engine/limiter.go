package engine

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Limiter describes one enforcement. It holds everything that the rest of the
// program asks about it, so nothing else depends on its name. Fields that are
// nil or zero have the meaning that their comment states.
type Limiter struct {
	Entry   catalog.Entry    // name, options and the counters that it works over
	Presets []catalog.Preset // published configurations; Enforcement is left empty

	// Check returns an error if the algorithm cannot run in the setting for a
	// reason that the options' declarations cannot express.
	Check func(s *Setting, a *scenarios.Algorithm) error
	// Executor returns the executor of the algorithm for one trial.
	Executor func(t *Trial) (Executor, error)

	// Sidecar is true if gateways can ask the limiter through a sidecar. It then has
	// the option of SidecarField, and its Executor is a BlockExecutor or an
	// EventExecutor.
	Sidecar bool
	// Random reports whether the limiter draws random numbers of its own. If it
	// is nil, the limiter draws none.
	Random func(s *Setting, a *scenarios.Algorithm) bool
	// Waits returns the bound on the wait of requests inside the limiter. The
	// reference shaper that the limiter is compared with has the same bound. If
	// Waits is nil or returns nil, every request is decided when it arrives.
	Waits func(s *Setting, a *scenarios.Algorithm) *counting.Waiting
	// Servers returns the number of servers that the limiter sends requests to.
	// If it is nil, the limiter has no servers.
	Servers func(s *Setting, a *scenarios.Algorithm) int
	// AffectedBy lists the kinds of faults that change the limiter's behaviour.
	// Faults that change the traffic are not listed.
	AffectedBy []string
	// Unaffected returns why a fault of one of these kinds cannot affect an
	// algorithm, for example because it has no store, or "" if it can. If it is
	// nil, every such fault can.
	Unaffected func(s *Setting, a *scenarios.Algorithm, f *scenarios.Fault) string
	// OnePolicy is the reason why a request cannot be charged under more than one
	// policy. It is empty if it can.
	OnePolicy string
	// CountsRequests is true if policies may count requests beside others that count
	// their cost: its counters are those of NewTables.
	CountsRequests bool
	// Settles is true if the limiter can decide requests by an estimate and correct the
	// charge when the cost is known.
	Settles bool
	// Outside is true if the limiter is not part of this program: it needs the trial's
	// Outside.
	Outside bool
	// Reports is true if clients report counts in messages of their own, which the
	// executor writes to the trial's ReportLog.
	Reports bool
	// OneService is true if the executor of an algorithm with a rollout to
	// another one of this limiter can have both report to one service.
	OneService bool
	// KeyBytes estimates the memory per key in bytes that an executor of an algorithm
	// for this number of clients allocates at its start. If it is nil, the estimate is
	// one counter.
	KeyBytes func(a *scenarios.Algorithm, clients int) int64
	// ClientBytes estimates the memory of a client in bytes that an executor allocates at
	// its start, beside that of keys.
	ClientBytes int64
	// ClientLimit returns the part of a policy's limit that one of this number of
	// clients grants. If it is nil, a counter grants the whole limit.
	ClientLimit func(a *scenarios.Algorithm, limit counting.Limit, clients int) counting.Limit
	// Predict returns what theory states about the first algorithm of a
	// scenario. If it is nil, the limiter has no closed forms.
	Predict func(s *scenarios.Scenario) catalog.Prediction
	// Worst returns the least upper bound of the burst excess of the first algorithm
	// of a scenario, under any requests of cost 1 to a policy whose reference is a
	// token bucket. If it is nil, none is known.
	Worst func(s *scenarios.Scenario) catalog.Predicted
}

// counterBytes is the memory of one counter in bytes, rounded up over all counters.
const counterBytes = 96

// IsAffectedBy reports whether faults of a kind can change the limiter's behaviour.
func (l *Limiter) IsAffectedBy(kind string) bool { return slices.Contains(l.AffectedBy, kind) }

// MemoryPerKey estimates the memory per key, in bytes, of an executor of an algorithm
// for this number of clients.
func (l *Limiter) MemoryPerKey(a *scenarios.Algorithm, clients int) int64 {
	if l.KeyBytes == nil {
		return counterBytes
	}
	return l.KeyBytes(a, clients)
}

// CounterBytes is the KeyBytes of limiters that have one counter per key.
func CounterBytes(a *scenarios.Algorithm, _ int) int64 {
	if bytes, ok := counting.KeyBytes(a.Counter); ok {
		return bytes
	}
	return counterBytes
}

// TopologyServers returns the number of servers in the scenario's topology, with
// those that faults add. It is the Servers function of limiters that use all of them.
func TopologyServers(s *Setting, _ *scenarios.Algorithm) int { return s.AllServers() }
