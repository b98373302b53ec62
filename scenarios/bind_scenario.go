package scenarios

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

const maxScenarios = 1000

// scenarios binds the list of scenarios.
func (l *loader) scenarios(root *node) {
	n := root.get("scenarios")
	if n == nil || !l.is(n, sequence) {
		return
	}
	if len(n.items) == 0 || len(n.items) > maxScenarios {
		l.report(n.place, "holds %d scenarios, but should hold 1 to %d", len(n.items), maxScenarios)
		return
	}
	first := map[string]int{}
	for i, item := range n.items {
		before := l.reports
		l.unsound = false
		s := l.scenario(item)
		s.Index = i
		l.sound[i] = l.reports == before && !l.unsound
		if line, twice := first[s.Name]; twice && s.Name != "" {
			l.report(item.at("name"), "another scenario is called %s, in line %d", Clip(s.Name), line)
		} else {
			first[s.Name] = item.pos.Line
		}
		l.file.Scenarios = append(l.file.Scenarios, s)
	}
}

// scenario binds one scenario. After a problem the result is incomplete.
func (l *loader) scenario(n *node) Scenario {
	v := l.group(n, ScenarioFields())
	if n.kind != mapping {
		return Scenario{}
	}
	s := Scenario{
		Name: v.String("name"), About: v.String("about"), Pos: n.pos,
		Seed:          l.orFile(v, "seed").Uint("seed"),
		Replications:  int(l.orFile(v, "replications").Int("replications")),
		Duration:      l.orFile(v, "duration").Duration("duration"),
		Warmup:        l.orFile(v, "warmup").Duration("warmup"),
		CommonStreams: l.orFile(v, "streams").String("streams") == commonStreams,
		Full:          l.orFile(v, "metrics").String("metrics") == "full",
		MeasureMemory: l.orFile(v, "measure_memory").Int("measure_memory"),
	}
	l.checkColumns(n)
	l.columns(l.orFile(v, "columns"), &s)
	if v.Set("name") {
		l.name(s.Name, n.at("name"))
	}
	policies := l.scenarioPolicies(n)
	fleet := cmp.Or(n.get("topology"), &node{kind: mapping}) // without one, all defaults
	topology := named(l, l.topologies, "topology", fleet, l.topology)
	if policies != nil {
		s.Policy = policies[0]
		s.Further = append(s.Further, policies[1:]...)
	}
	if topology != nil {
		s.Topology = *topology
	}

	entries := l.trafficEntries(n.get("traffic"), policies)
	recorded := l.timeBase(entries)
	if recorded {
		// The log decides the span: only what the scenario itself says counts.
		if own := v["duration"]; own.Given && keepsTime(entries) {
			l.report(n.at("duration"), "a trace with recorded times determines the duration: remove this field, or set rebase: true")
		} else if !own.Given {
			s.Duration = 0
		}
		if !v["warmup"].Given {
			s.Warmup = 0
		}
	}
	l.span(n, &s, policies, recorded)
	l.entrySpans(entries, s.Duration)
	s.Traffic = mapped(entries, func(e entry) Traffic { return e.Traffic })
	l.entries = append(l.entries, entries)

	if g, ok := v["guard"].V.(catalog.Values); ok {
		s.Guard = l.guard(n.get("guard"), g, s.Duration)
	}
	s.Callers = l.scenarioCallers(n, v)
	l.faults(n.get("faults"), &s, topology, policies, keepsTime(entries))
	s.Algorithms = l.references(n.get("algorithms"))
	if topology != nil {
		l.rollouts(&s, n)
	}
	if policies != nil {
		l.bursts(n, &s, entries)
	}
	l.spreads(entries, topology)
	l.checkWorkers(n, &s, entries)
	l.checkAnswers(&s, s.RetriesOf(nil), n.at("callers").field("retry"))
	for i := range s.Algorithms {
		if a := &s.Algorithms[i]; a.Callers != nil {
			l.checkAnswers(&s, a.Callers.Retry, itemOf(n, a).place)
		}
	}
	s.Expect = l.expectations(n, &s)
	if !l.alone {
		s.Axes = l.axes(n.get("vary"))
		for i := range s.Axes {
			s.Axes[i].Of = s.fullPath(s.Axes[i].Of)
		}
	}
	return s
}

// named returns a definition given by its name or in place, or nil after a
// problem.
func named[T any](l *loader, d definitions[T], what string, n *node, bind func(name string, n *node) (T, bool)) *T {
	switch n.kind {
	case broken:
		return nil
	case scalar:
		v, known := d.values[n.text]
		if !known {
			l.report(n.place, "%v", unknownName(what, n.text, d.names))
		}
		l.unsound = l.unsound || v == nil
		return v // nil if the definition has a problem, which has been reported
	}
	if v, ok := bind("", n); ok {
		return &v
	}
	return nil
}

// guard binds the guarded backend.
func (l *loader) guard(n *node, v catalog.Values, duration int64) *Guard {
	g := &Guard{Values: v, Concurrency: v.Int("concurrency"), ServiceTime: v.Choice("service_time"), Deadline: v.Duration("deadline"), Queue: math.MaxInt64}
	if v.Set("queue") {
		g.Queue = v.Int("queue")
	}
	for i, item := range v.List("slow") {
		period := item.(catalog.Values)
		s := SlowPeriod{From: period.Duration("from"), To: period.Duration("to"), Factor: period.Int("factor")}
		at := n.get("slow").items[i].place
		switch {
		case !period.Set("to") || !period.Set("from"):
		case s.From >= s.To:
			l.report(at, "from must be before to")
		case duration > 0 && s.To > duration:
			l.report(at, "to is after the scenario's duration")
		case i > 0 && len(g.Slow) == i && s.From < g.Slow[i-1].To:
			l.report(at, "begins before the previous period ends")
		}
		g.Slow = append(g.Slow, s)
	}
	for i, item := range v.List("load") {
		point := item.(catalog.Values)
		p := LoadPoint{At: point.Int("at"), Factor: point.Share("factor")}
		if i > 0 && len(g.Load) == i && p.At <= g.Load[i-1].At {
			l.report(n.get("load").items[i].place, "at must rise from point to point")
		}
		g.Load = append(g.Load, p)
	}
	g.Sharing = v.Bool("sharing")
	switch {
	case !g.Sharing:
	case v.Set("queue"):
		l.report(n.get("queue").place, "does not go together with sharing: nobody queues")
	case g.exceeds(maxShared):
		l.report(n.get("sharing").place, "needs service times of at most %s, with those of slow periods", units.FormatDuration(maxShared))
	}
	return g
}

// maxShared is the largest mean service time, in ns, of cores that requests share: parts of
// a ns of work are counted.
const maxShared = 60 * units.Second

// exceeds reports whether the mean service time, with the factor of slow periods, is longer
// than most ns.
func (g *Guard) exceeds(most int64) bool {
	mean := max(g.ServiceTime.Values.Duration("time"), g.ServiceTime.Values.Duration("mean"))
	return mean > most || slices.ContainsFunc(g.Slow, func(s SlowPeriod) bool { return s.Factor > 0 && mean > most/s.Factor })
}
