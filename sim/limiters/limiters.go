// Package limiters lists the limiters that can be simulated, and derives from the
// list what a scenario can name: enforcements, counters and presets.
//
// The packages below it simulate one limiter each, with the state machines of
// the package of the same name in algorithms.
//
// The package makes no promise: it can change at any time.
package limiters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	claims "github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters/batchreported"
	"github.com/limitgauge/limitgauge/sim/limiters/broadcast"
	"github.com/limitgauge/limitgauge/sim/limiters/central"
	"github.com/limitgauge/limitgauge/sim/limiters/clientthrottle"
	"github.com/limitgauge/limitgauge/sim/limiters/concurrency"
	"github.com/limitgauge/limitgauge/sim/limiters/custom"
	"github.com/limitgauge/limitgauge/sim/limiters/delayedsync"
	"github.com/limitgauge/limitgauge/sim/limiters/gossip"
	"github.com/limitgauge/limitgauge/sim/limiters/leases"
	"github.com/limitgauge/limitgauge/sim/limiters/local"
	"github.com/limitgauge/limitgauge/sim/limiters/prefetch"
	"github.com/limitgauge/limitgauge/sim/limiters/readthenwrite"
	"github.com/limitgauge/limitgauge/sim/limiters/remote"
	"github.com/limitgauge/limitgauge/sim/limiters/rlqs"
	"github.com/limitgauge/limitgauge/sim/limiters/shards"
	"github.com/limitgauge/limitgauge/sim/limiters/sql"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// all is the registry of limiters, in the order of `list`.
var all = []*engine.Limiter{
	&central.Limiter,
	&local.Limiter,
	&batchreported.Limiter,
	&prefetch.Limiter,
	&leases.Limiter,
	&rlqs.Limiter,
	&clientthrottle.Limiter,
	&concurrency.Limiter,
	&remote.Limiter,
	&readthenwrite.Limiter,
	&shards.Limiter,
	&broadcast.Limiter,
	&delayedsync.Limiter,
	&gossip.Limiter,
	&sql.Limiter,
	&custom.Limiter,
}

// systems is the order in which lists show the presets of published systems.
// Presets of other systems come last, in the order of the limiters.
var systems = []string{
	"Seastar", "Traefik", "Envoy", "Gubernator", "APISIX", "Kong", "Cloud Control",
	"Databricks, remote calls", "Databricks, batch reports", "Databricks, option R1", "Databricks, option R3",
	"LLM gateways",
	"Recipes", "bucket4j", "Doorman", "Google SRE", "Kafka", "SQL", "YugabyteDB",
}

// All returns the limiters, in the order of `list`.
func All() []*engine.Limiter { return all }

// Of returns the limiter of an algorithm, in a rollout that of both algorithms. It
// is nil if the enforcement is unknown.
func Of(a *scenarios.Algorithm) *engine.Limiter {
	if a.Rollout != nil {
		return mixed(a)
	}
	for _, l := range all {
		if l.Entry.Name == a.Enforcement {
			return l
		}
	}
	return nil
}

// Check returns an error if an algorithm cannot run in a setting.
func Check(s *engine.Setting, a *scenarios.Algorithm) error {
	l := Of(a)
	if err := checkRequests(s, a, l); err != nil {
		return err
	}
	if s.MultiPolicy() && l.OnePolicy != "" {
		return fmt.Errorf("enforcement %s %w: %s", a.Enforcement, engine.ErrOnePolicy, l.OnePolicy)
	}
	if s.Settles && !l.Settles {
		return fmt.Errorf("enforcement %s works with costs that are known on arrival, and those of %s become known with the answer; the enforcements that settle costs are %s",
			a.Enforcement, settled(s.Scenario), strings.Join(Names(func(l *engine.Limiter) bool { return l.Settles }), ", "))
	}
	if err := l.Check(s, a); err != nil {
		return err
	}
	if l.Settles && a.Rollout == nil {
		if _, err := claims.ConfigFrom(a.Options, s.MaxCost); err != nil {
			return err
		}
	}
	if l.Servers != nil {
		if _, err := engine.LatencyOf(s.Scenario.Topology.Network); err != nil {
			return err
		}
	}
	if _, _, err := engine.SidecarLatency(a); l.Sidecar && err != nil {
		return fmt.Errorf("sidecar: %w", err)
	}
	return nil
}

// FixedConcurrency returns the algorithm of clients that each have at most limit requests in
// flight, and refuse others at once.
func FixedConcurrency(limit int64) *scenarios.Algorithm { return concurrency.Fixed(limit) }

// BestFixed returns the fixed limit on concurrency up to most with the most good answers in
// theory, or 0 if that is not known.
func BestFixed(s *scenarios.Scenario, most int64) int64 { return concurrency.Best(s, most) }

// checkRequests returns an error if a policy counts requests and the algorithm cannot, unless
// it cannot have several policies either.
func checkRequests(s *engine.Setting, a *scenarios.Algorithm, l *engine.Limiter) error {
	i := slices.IndexFunc(s.Policies, func(p engine.Policy) bool { return p.Requests })
	switch {
	case i < 0, len(s.Policies) > 1 && l.OnePolicy != "":
	case !l.CountsRequests || catalogQueues(a):
		return fmt.Errorf("policy %s counts requests, which %s cannot do beside their cost; the enforcements that can are %s, with a counter that does not queue",
			scenarios.Clip(s.Policies[i].Name), a.Name, strings.Join(Names(func(l *engine.Limiter) bool { return l.CountsRequests }), ", "))
	case s.Settles:
		return fmt.Errorf("policy %s counts requests, which is not simulated beside costs that become known with the answer", scenarios.Clip(s.Policies[i].Name))
	case counting.JointOf(a.Options).Drains:
		return fmt.Errorf("policy %s counts requests, which is not simulated with refusal: drains", scenarios.Clip(s.Policies[i].Name))
	}
	return nil
}

// catalogQueues reports whether the counter of an algorithm is a queue.
func catalogQueues(a *scenarios.Algorithm) bool {
	c := catalog.Find(Counters(), a.Counter)
	return c != nil && c.Queues
}

// settled returns the name of the first traffic entry whose costs become known with the
// answer.
func settled(s *scenarios.Scenario) string {
	i := slices.IndexFunc(s.Traffic, func(t scenarios.Traffic) bool { return t.Settles() })
	return scenarios.Clip(s.Traffic[i].Name)
}

// Names returns the names of the limiters for which are reports true.
func Names(are func(*engine.Limiter) bool) []string {
	return lists.Map(lists.Where(all, are), func(l *engine.Limiter) string { return l.Entry.Name })
}

// NewExecutor returns the executor of a trial's algorithm.
func NewExecutor(t *engine.Trial) (engine.Executor, error) {
	l := Of(t.Algorithm)
	executor, err := l.Executor(t)
	if latency, has, _ := engine.SidecarLatency(t.Algorithm); l.Sidecar && has && err == nil {
		executor = engine.ThroughSidecar(t, executor, latency)
	}
	return executor, err
}

// CounterOf returns the one counter, without keys, that all callers of an algorithm ask on
// arrival and without delay, or nil if that is not how it decides.
func CounterOf(s *engine.Setting, a *scenarios.Algorithm) counting.Table {
	_, sidecar, _ := engine.SidecarLatency(a)
	if Of(a) != &central.Limiter || sidecar || catalogQueues(a) || engine.IsJoint(s, a) {
		return nil
	}
	if t, err := s.NewTable(a, s.Limit, engine.Whole, 0); err == nil {
		return t
	}
	return nil
}

// Draws reports whether an algorithm draws random numbers of its own.
func Draws(s *engine.Setting, a *scenarios.Algorithm) bool {
	l := Of(a)
	if sidecar, _, _ := engine.SidecarLatency(a); l.Sidecar && sidecar.Random() {
		return true
	}
	if s.Settles && settlement.Draws(a) {
		return true
	}
	return l.Random != nil && l.Random(s, a)
}

// Unaffected returns why a fault cannot affect an algorithm in a setting, or "" if
// it can.
func Unaffected(s *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	if a.Rollout != nil {
		return unaffectedParts(s, a, f)
	}
	l := Of(a)
	if !l.IsAffectedBy(f.Kind) {
		return "enforcement " + a.Enforcement + " has none of the affected components"
	}
	if server, ok := f.Server(); ok && server >= int64(l.Servers(s, a)) {
		return "it has " + format.Count(l.Servers(s, a), "server")
	}
	if l.Unaffected == nil {
		return ""
	}
	return l.Unaffected(s, a, f)
}

// Predict returns what theory states about the first algorithm of a scenario, or
// the reason why it states nothing.
func Predict(s *scenarios.Scenario) catalog.Prediction {
	switch l := Of(&s.Algorithms[0]); {
	case settlement.Settles(s) && l.Settles && l.Servers == nil && s.Algorithms[0].Rollout == nil:
		return settlement.Predict(s)
	case l.Predict != nil:
		return l.Predict(s)
	}
	names := Names(func(l *engine.Limiter) bool { return l.Predict != nil && !l.Entry.Counterless }) // what has no counter keeps no rate
	return catalog.NoPrediction("closed forms are given for " + strings.Join(names, ", ") + " alone")
}

// Worst returns the least upper bound of the burst excess of the first algorithm of a
// scenario under any requests of cost 1, or the reason why none is known.
func Worst(s *scenarios.Scenario) catalog.Predicted {
	l := Of(&s.Algorithms[0])
	switch {
	case l.Worst == nil:
		return catalog.Predicted{Why: "enforcement " + l.Entry.Name + " has no closed form of its largest burst excess"}
	case len(s.Further) > 0 || s.Policy.Reference.Own || len(s.Faults) > 0 || s.Retry():
		return catalog.Predicted{Why: "closed forms are for one policy, measured against its own limit, without faults and retries"}
	}
	return l.Worst(s)
}

// Counters declares the counters.
func Counters() []catalog.Entry { return central.Counters() }

// Enforcements declares the enforcements.
func Enforcements() []catalog.Entry {
	var list []catalog.Entry
	for _, l := range all {
		e := l.Entry
		if l.Sidecar {
			e.Fields = append(slices.Clip(e.Fields), engine.SidecarField())
		}
		if l.Settles {
			e.Fields = append(slices.Clip(e.Fields), claims.Fields()...)
		}
		if l.Servers != nil && slices.Contains(l.AffectedBy, "network") {
			e.With = append(e.With, "with a network")
		}
		if slices.Contains(l.AffectedBy, "reshard") { // keys have owners among the servers
			e.With = append(e.With, "with servers")
		}
		list = append(list, e)
	}
	return list
}

// Presets declares the algorithms that have a name: each counter under the
// central limiter, then the presets of the limiters.
func Presets() []catalog.Preset {
	list := lists.Map(Counters(), func(c catalog.Entry) catalog.Preset {
		return catalog.Preset{
			Name: c.Name, Summary: c.Summary, Idea: c.Idea, Bound: c.Bound, Source: c.Source,
			Enforcement: central.Limiter.Entry.Name, Counter: c.Name,
		}
	})
	var published []catalog.Preset
	for _, l := range all {
		for _, p := range l.Presets {
			p.Enforcement = l.Entry.Name
			published = append(published, p)
		}
	}
	place := func(p catalog.Preset) int {
		if i := slices.Index(systems, p.System); i >= 0 {
			return i
		}
		return len(systems)
	}
	slices.SortStableFunc(published, func(a, b catalog.Preset) int { return place(a) - place(b) })
	return append(list, published...)
}
