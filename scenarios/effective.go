package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Effective returns the file as YAML with all defaults, presets and overrides.
// Loading it again gives the same scenarios.
func (f *File) Effective() []byte {
	l := loader{catalog: f.catalog}
	var policies, topologies, algorithms section
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		for _, p := range s.Policies() {
			if !p.inPlace() {
				policies.define(p.Name, policyYAML(p))
			}
		}
		if s.Topology.Name != "" {
			topologies.define(s.Topology.Name, topologyYAML(s.Topology))
		}
		for i := range s.Algorithms {
			a := &s.Algorithms[i]
			algorithms.define(a.Name, l.algorithmYAML(a))
			if a.Rollout != nil {
				algorithms.define(a.Rollout.To.Name, l.algorithmYAML(a.Rollout.To))
			}
		}
	}
	w := writer{catalog: f.catalog}
	w.line(0, "version: 1")
	w.line(0, "seed: %d", f.Seed)
	w.list(0, "policies", policies.lines)
	w.list(0, "topologies", topologies.lines)
	w.list(0, "algorithms", algorithms.lines)
	w.line(0, "scenarios:")
	for i := range f.Scenarios {
		w.scenario(&f.Scenarios[i])
	}
	w.curves(f.Curves)
	return []byte(w.out.String())
}

// section holds the definitions that scenarios refer to, once each, in the order
// of their first use.
type section struct {
	names []string
	lines []string
}

func (s *section) define(name, value string) {
	if slices.Contains(s.names, name) {
		return
	}
	s.names = append(s.names, name)
	s.lines = append(s.lines, entryYAML(scalarYAML(name), value))
}

// writer writes canonical YAML: blocks for sections, scenarios and their
// fields, and one line for each field of a scenario.
type writer struct {
	catalog catalog.Catalog
	out     strings.Builder
}

func (w *writer) line(indent int, format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// list writes lines below a title, and nothing if there are none.
func (w *writer) list(indent int, title string, lines []string) {
	for i, line := range lines {
		if i == 0 {
			w.line(indent, "%s:", title)
		}
		w.line(indent+1, "%s", line)
	}
}

// fields writes the set values of fields, one line each.
func (w *writer) fields(fields []catalog.Field, set map[string]any) {
	for _, entry := range valuesYAML(fields, values(set)) {
		w.line(2, "%s", entry)
	}
}

func (w *writer) scenario(s *Scenario) {
	w.line(1, "- name: %s", scalarYAML(s.Name))
	if s.About != "" {
		w.line(2, "about: %s", scalarYAML(s.About))
	}
	w.fields(RunFields(), map[string]any{
		"seed": s.Seed, "replications": s.Replications, "duration": unless(s.Duration == 0, s.Duration), "warmup": s.Warmup, "streams": unless(!s.CommonStreams, commonStreams),
		"metrics": catalog.MetricSet(s.Full), "columns": boundTexts(s.Columns), "measure_memory": s.MeasureMemory,
	})
	w.scenarioPolicies(s)
	if s.Topology.Name == "" {
		w.line(2, "topology: %s", topologyYAML(s.Topology))
	} else {
		w.line(2, "topology: %s", scalarYAML(s.Topology.Name))
	}
	w.list(2, "traffic", mapped(s.Traffic, func(t Traffic) string { return "- " + w.trafficYAML(s, &t) }))
	set := map[string]any{}
	if s.Guard != nil {
		set["guard"] = s.Guard.Values
	}
	if c := s.Callers; c != nil && c.Values != nil {
		set["callers"] = c.Values
	} else if c != nil {
		set["retries"] = c.Retry.Values
	}
	w.fields(ScenarioFields(), set)
	w.list(2, "faults", mapped(s.Faults, func(f Fault) string {
		return "- " + choiceYAML(FaultKinds(), catalog.Choice{Name: f.Kind, Values: f.Values})
	}))
	algorithms := mapped(s.Algorithms, func(a Algorithm) string { return scalarYAML(a.Name) })
	w.line(2, "algorithms: [%s]", strings.Join(algorithms, ", "))
	w.expect(s.Expect)
	w.list(2, "vary", mapped(s.Axes, func(a Axis) string { return a.yaml() }))
}

// expect writes expectations grouped by algorithm and metric.
func (w *writer) expect(list []Expectation) {
	for i := 0; i < len(list); {
		if i == 0 {
			w.line(2, "expect:")
		}
		first := list[i]
		if i == 0 || first.Algorithm != list[i-1].Algorithm {
			w.line(3, "%s:", scalarYAML(first.Algorithm))
		}
		var texts []string
		for ; i < len(list) && list[i].Algorithm == first.Algorithm && list[i].Metric == first.Metric; i++ {
			texts = append(texts, list[i].yaml())
		}
		w.line(4, "%s: [%s]", scalarYAML(first.Metric), strings.Join(texts, ", "))
	}
}

// inPlace reports whether a policy was defined inside the scenario. Its name is
// then its limit.
func (p *Policy) inPlace() bool { return p.Name == p.Limit.String() }

func (w *writer) scenarioPolicies(s *Scenario) {
	list := mapped(s.Policies(), func(p Policy) string {
		if p.inPlace() {
			return policyYAML(p)
		}
		return scalarYAML(p.Name)
	})
	if len(list) == 1 {
		w.line(2, "policy: %s", list[0])
	} else {
		w.line(2, "policies: [%s]", strings.Join(list, ", "))
	}
}

func policyYAML(p Policy) string {
	return flow(valuesYAML(PolicyFields(), values(map[string]any{
		"limit": p.Limit, "burst": p.Burst, "counts": p.Values["counts"].V, "per": unless(p.Per == "", p.Per), "shared": p.Shared, "reference": p.Values["reference"].V,
	})))
}

func (l *loader) algorithmYAML(a *Algorithm) string {
	parts := []string{entryYAML("enforcement", scalarYAML(a.Enforcement))}
	if a.Preset != "" {
		parts[0] = entryYAML("preset", scalarYAML(a.Preset))
	}
	if a.Counter != "" {
		parts = append(parts, entryYAML("counter", scalarYAML(a.Counter)))
	}
	parts = append(parts, valuesYAML(l.optionFields(a.Enforcement, a.Counter), a.Options)...)
	if a.Callers != nil {
		parts = append(parts, valuesYAML(AlgorithmFields(), values(map[string]any{"callers": a.Callers.Values}))...)
	}
	if r := a.Rollout; r != nil && !r.OfTopology {
		parts = append(parts, valuesYAML(AlgorithmFields(), values(map[string]any{"rollout": r.Values}))...)
	}
	return flow(parts)
}

func topologyYAML(t Topology) string {
	set := map[string]any{"clients": t.Clients, "servers": t.Servers, "network": t.Network}
	if t.Rollout != nil {
		set["rollout"] = t.Rollout.Values
	}
	return flow(valuesYAML(TopologyFields(), values(set)))
}

func (w *writer) trafficYAML(s *Scenario, t *Traffic) string {
	pattern := catalog.Find(w.catalog.Patterns, t.Pattern)
	if pattern == nil {
		panic(fmt.Sprintf("scenarios: the catalogue lacks pattern %q", t.Pattern))
	}
	set := map[string]any{"tenants": unless(t.Tenants.Name == "", t.Tenants), "spread": unless(t.Spread.Name == "", t.Spread), "cost": unless(t.Cost.Name == "", t.Cost)}
	if s.settles() || t.Pattern == PatternWorkers {
		set["answer"] = t.Answer
	}
	if t.Descriptors == nil {
		set["keys"] = unless(t.Keys.Name == "", t.Keys)
	} else {
		set["descriptors"] = yamlText(descriptorsYAML(s, t))
	}
	if !t.keepsTime() {
		set["from"], set["to"] = t.From, unless(t.To == 0, t.To)
	}
	parts := append([]string{
		entryYAML("name", scalarYAML(t.Name)),
		entryYAML("pattern", scalarYAML(t.Pattern)),
	}, valuesYAML(pattern.Fields, t.Options)...)
	return flow(append(parts, valuesYAML(without(TrafficFields(), pattern.Fields), values(set))...))
}

// yamlText is a value that is YAML already.
type yamlText string

// values returns bound values as a file gives them. A nil value is not set.
func values(set map[string]any) catalog.Values {
	v := catalog.Values{}
	for name, x := range set {
		v[name] = catalog.Value{V: x}
	}
	return v
}

// unless returns a value, or nil, which sets no field, if it is not set.
func unless(unset bool, v any) any {
	if unset {
		return nil
	}
	return v
}

// boundTexts returns a list as a bound value, or nil for an empty one.
func boundTexts(list []string) any {
	return unless(len(list) == 0, mapped(list, func(text string) any { return text }))
}

func flow(parts []string) string { return "{" + strings.Join(parts, ", ") + "}" }

func entryYAML(name, value string) string { return name + ": " + value }

// valuesYAML writes the set values of fields in the order of declaration.
func valuesYAML(fields []catalog.Field, values catalog.Values) []string {
	var parts []string
	for i := range fields {
		if f := &fields[i]; values.Set(f.Name) {
			parts = append(parts, entryYAML(f.Name, valueYAML(f, values[f.Name].V)))
		}
	}
	return parts
}

func choiceYAML(kinds []catalog.Entry, c catalog.Choice) string {
	entry := catalog.Find(kinds, c.Name)
	set := valuesYAML(entry.Fields, c.Values)
	if len(set) == 0 && len(entry.Fields) > 0 {
		return scalarYAML(c.Name) // all its fields have the default
	}
	return flow([]string{entryYAML(scalarYAML(c.Name), flow(set))})
}

// valueYAML returns a bound value in the notation of its field's kind.
func valueYAML(f *catalog.Field, v any) string {
	switch f.Kind {
	case catalog.Group:
		return flow(valuesYAML(f.Fields, v.(catalog.Values)))
	case catalog.Union:
		if c := v.(catalog.Choice); f.Words && len(c.Values) == 0 {
			return scalarYAML(c.Name)
		}
		return choiceYAML(f.Choices, v.(catalog.Choice))
	case catalog.List:
		parts := mapped(v.([]any), func(x any) string { return valueYAML(f.Elem, x) })
		return "[" + strings.Join(parts, ", ") + "]"
	case catalog.Duration:
		return units.FormatDuration(v.(int64))
	case catalog.Size:
		return units.FormatSize(v.(int64))
	case catalog.Time:
		return scalarYAML(time.Unix(0, v.(int64)).UTC().Format(time.RFC3339Nano))
	case catalog.Decimal:
		return units.FormatDecimal(v.(float64))
	}
	if text, ok := v.(string); ok {
		return scalarYAML(text)
	}
	return fmt.Sprint(v) // numbers, booleans, rates, fractions and YAML text write themselves
}
