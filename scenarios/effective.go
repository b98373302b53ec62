package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Effective writes a file that Load returned as YAML with every default, preset
// and override. Loading it again gives the same scenarios.
func (f *File) Effective() []byte {
	w := writer{catalog: f.catalog}
	w.line(0, "version: 1")
	w.line(0, "seed: %d", f.Seed)
	w.policies(f.Scenarios)
	w.topologies(f.Scenarios)
	w.algorithms(f.Scenarios)
	w.line(0, "scenarios:")
	for i := range f.Scenarios {
		w.scenario(&f.Scenarios[i])
	}
	return []byte(w.out.String())
}

// writer writes canonical YAML: blocks down to a scenario's fields, which take
// one line each.
type writer struct {
	catalog catalog.Catalog
	out     strings.Builder
}

func (w *writer) line(indent int, format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// section writes the definitions that scenarios refer to, once each, in the
// order of their first use.
func (w *writer) section(title string, list []Scenario, each func(s *Scenario, define func(name, value string))) {
	written := map[string]bool{}
	for i := range list {
		each(&list[i], func(name, value string) {
			if written[name] {
				return
			}
			if len(written) == 0 {
				w.line(0, "%s:", title)
			}
			written[name] = true
			w.line(1, "%s: %s", scalarYAML(name), value)
		})
	}
}

func (w *writer) policies(list []Scenario) {
	w.section("policies", list, func(s *Scenario, define func(name, value string)) {
		for _, p := range s.Policies() {
			if !p.inPlace() {
				define(p.Name, policyYAML(p))
			}
		}
	})
}

func (w *writer) topologies(list []Scenario) {
	w.section("topologies", list, func(s *Scenario, define func(name, value string)) {
		if s.Topology.Name != "" {
			define(s.Topology.Name, topologyYAML(s.Topology))
		}
	})
}

func (w *writer) algorithms(list []Scenario) {
	w.section("algorithms", list, func(s *Scenario, define func(name, value string)) {
		for _, a := range s.Algorithms {
			l := loader{catalog: w.catalog}
			define(a.Name, flow(append([]string{
				entryYAML("enforcement", scalarYAML(a.Enforcement)),
				entryYAML("counter", scalarYAML(a.Counter)),
			}, valuesYAML(l.optionFields(a.Enforcement, a.Counter), a.Options)...)))
		}
	})
}

func (w *writer) scenario(s *Scenario) {
	w.line(1, "- name: %s", scalarYAML(s.Name))
	if s.About != "" {
		w.line(2, "about: %s", scalarYAML(s.About))
	}
	w.line(2, "seed: %d", s.Seed)
	w.line(2, "replications: %d", s.Replications)
	if s.Duration > 0 {
		w.line(2, "duration: %s", units.FormatDuration(s.Duration))
	}
	w.line(2, "warmup: %s", units.FormatDuration(s.Warmup))
	w.line(2, "metrics: %s", map[bool]string{false: "basic", true: "full"}[s.Full])
	w.line(2, "measure_memory: %s", units.FormatSize(s.MeasureMemory))
	w.scenarioPolicies(s)
	if s.Topology.Name == "" {
		w.line(2, "topology: %s", topologyYAML(s.Topology))
	} else {
		w.line(2, "topology: %s", scalarYAML(s.Topology.Name))
	}
	w.line(2, "traffic:")
	for i := range s.Traffic {
		w.line(3, "- %s", w.trafficYAML(s, &s.Traffic[i]))
	}
	if s.Guard != nil {
		w.line(2, "guard: %s", guardYAML(s.Guard))
	}
	if r := s.Retries; r != nil {
		w.line(2, "retries: %s", flow([]string{
			entryYAML("attempts", units.FormatCount(r.Attempts)),
			entryYAML("backoff", choiceYAML(BackoffKinds(), r.Backoff)),
			entryYAML("timed_out", fmt.Sprint(r.TimedOut)),
		}))
	}
	for i, f := range s.Faults {
		if i == 0 {
			w.line(2, "faults:")
		}
		w.line(3, "- %s", choiceYAML(FaultKinds(), catalog.Choice{Name: f.Kind, Values: f.Values}))
	}
	algorithms := make([]string, len(s.Algorithms))
	for i := range s.Algorithms {
		algorithms[i] = scalarYAML(s.Algorithms[i].Name)
	}
	w.line(2, "algorithms: [%s]", strings.Join(algorithms, ", "))
	w.expect(s.Expect)
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
			texts = append(texts, scalarYAML(list[i].Text))
		}
		w.line(4, "%s: [%s]", scalarYAML(first.Metric), strings.Join(texts, ", "))
	}
}

// inPlace reports whether a policy was written in place; its name is then its
// limit.
func (p *Policy) inPlace() bool { return p.Name == p.Limit.String() }

func (w *writer) scenarioPolicies(s *Scenario) {
	var list []string
	for _, p := range s.Policies() {
		text := scalarYAML(p.Name)
		if p.inPlace() {
			text = policyYAML(p)
		}
		list = append(list, text)
	}
	if len(list) == 1 {
		w.line(2, "policy: %s", list[0])
	} else {
		w.line(2, "policies: [%s]", strings.Join(list, ", "))
	}
}

func policyYAML(p Policy) string {
	parts := []string{
		entryYAML("limit", p.Limit.String()),
		entryYAML("burst", units.FormatCount(p.Burst)),
	}
	if p.Per != "" {
		parts = append(parts, entryYAML("per", scalarYAML(p.Per)))
	}
	return flow(append(parts,
		entryYAML("shared", fmt.Sprint(p.Shared)),
		entryYAML("reference", p.Reference)))
}

func topologyYAML(t Topology) string {
	return flow([]string{
		entryYAML("clients", fmt.Sprint(t.Clients)),
		entryYAML("servers", fmt.Sprint(t.Servers)),
		entryYAML("network", choiceYAML(NetworkKinds(), t.Network)),
	})
}

func guardYAML(g *Guard) string {
	parts := []string{
		entryYAML("concurrency", units.FormatCount(g.Concurrency)),
		entryYAML("service_time", choiceYAML(ServiceTimeKinds(), g.ServiceTime)),
	}
	var slow []string
	for _, s := range g.Slow {
		slow = append(slow, flow([]string{
			entryYAML("from", units.FormatDuration(s.From)),
			entryYAML("to", units.FormatDuration(s.To)),
			entryYAML("factor", units.FormatCount(s.Factor)),
		}))
	}
	if slow != nil {
		parts = append(parts, entryYAML("slow", "["+strings.Join(slow, ", ")+"]"))
	}
	return flow(parts)
}

func (w *writer) trafficYAML(s *Scenario, t *Traffic) string {
	pattern := catalog.Find(w.catalog.Patterns, t.Pattern)
	if pattern == nil {
		panic(fmt.Sprintf("scenarios: the catalogue lacks pattern %q", t.Pattern))
	}
	parts := []string{
		entryYAML("name", scalarYAML(t.Name)),
		entryYAML("pattern", scalarYAML(t.Pattern)),
	}
	parts = append(parts, valuesYAML(pattern.Fields, t.Options)...)
	common := func(name string, present bool, value func() string) {
		if present && find(pattern.Fields, name) == nil {
			parts = append(parts, entryYAML(name, value()))
		}
	}
	choice := func(name string, kinds []catalog.Entry, c catalog.Choice) {
		common(name, c.Name != "", func() string { return choiceYAML(kinds, c) })
	}
	keeps := (&entry{Traffic: *t}).keepsTime()
	common("from", !keeps, func() string { return units.FormatDuration(t.From) })
	common("to", !keeps && t.To > 0, func() string { return units.FormatDuration(t.To) })
	if t.Descriptors == nil {
		choice("keys", KeyKinds(), t.Keys)
	}
	common("descriptors", t.Descriptors != nil, func() string { return descriptorsYAML(s, t) })
	choice("tenants", TenantKinds(), t.Tenants)
	choice("spread", SpreadKinds(), t.Spread)
	choice("cost", CostKinds(), t.Cost)
	return flow(parts)
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
	return flow([]string{entryYAML(scalarYAML(c.Name), flow(valuesYAML(entry.Fields, c.Values)))})
}

// valueYAML writes a bound value as its field's kind reads it.
func valueYAML(f *catalog.Field, v any) string {
	switch f.Kind {
	case catalog.Group:
		return flow(valuesYAML(f.Fields, v.(catalog.Values)))
	case catalog.Union:
		return choiceYAML(f.Choices, v.(catalog.Choice))
	case catalog.List:
		parts := make([]string, 0, 8)
		for _, x := range v.([]any) {
			parts = append(parts, valueYAML(f.Elem, x))
		}
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
	return fmt.Sprint(v) // numbers, booleans, rates and fractions write themselves
}
