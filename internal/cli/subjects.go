package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// subject is something that explain can describe.
type subject struct {
	name, summary string
	explain       func(w *strings.Builder)
}

// subjects returns the subjects that list prints. A preset replaces a counter
// or enforcement of the same name. Other subjects may share a name.
func subjects() (list []subject) {
	all := sim.Catalog()
	add := func(name, summary string, explain func(w *strings.Builder)) {
		list = append(list, subject{name, summary, explain})
	}
	presets := map[string]bool{}
	for i := range all.Presets {
		p := &all.Presets[i]
		presets[p.Name] = true
		add(p.Name, p.Summary, func(w *strings.Builder) { explainPreset(w, all, p) })
	}
	for _, section := range []struct {
		what    string
		entries []catalog.Entry
	}{{"counter", all.Counters}, {"enforcement", all.Enforcements}, {"traffic pattern", all.Patterns}} {
		for i := range section.entries {
			e := &section.entries[i]
			if presets[e.Name] {
				continue
			}
			add(e.Name, e.Summary, func(w *strings.Builder) {
				explainEntry(w, section.what, e)
				explainFields(w, "Options", e.Fields, nil)
			})
		}
	}
	faults := scenarios.FaultKinds()
	for i := range faults {
		add(faults[i].Name, faults[i].Summary, func(w *strings.Builder) { explainFault(w, all, &faults[i]) })
	}
	for i := range all.Metrics {
		m := &all.Metrics[i]
		add(m.Name, m.Doc, func(w *strings.Builder) { explainMetric(w, m) })
	}
	for _, s := range scenarios.Suites() {
		add(s.Name, s.About, func(w *strings.Builder) { explainSuite(w, &s) })
	}
	return list
}

// explainFault describes a fault, the enforcements it affects, and how to write
// it.
func explainFault(w *strings.Builder, all catalog.Catalog, e *catalog.Entry) {
	explainEntry(w, "fault", e)
	var affected []string
	for _, name := range listedNames("enforcements") {
		if limiters.Of(&scenarios.Algorithm{Enforcement: name}).IsAffectedBy(e.Name) {
			affected = append(affected, name)
		}
	}
	fmt.Fprintf(w, "\nEnforcements that it affects\n%s", wrap(strings.Join(affected, ", "), "  ", 96))
	var given []string
	for i := range e.Fields {
		if i == 0 || e.Fields[i].Required {
			given = append(given, e.Fields[i].Name+": ...")
		}
	}
	fmt.Fprintf(w, "\nIn a scenario\n  faults:\n    - %s: {%s}\n", e.Name, strings.Join(given, ", "))
	explainFields(w, "Options", e.Fields, nil)
}

// explainSuite describes a shipped scenario file.
func explainSuite(w *strings.Builder, s *scenarios.Suite) {
	fmt.Fprintf(w, "%s (scenario file)\n%s\nUse\n  limitgauge run %s\n  limitgauge run %s --scenario NAME\n",
		s.Name, wrap(s.About, "", 96), s.Name, s.Name)
	if slices.ContainsFunc(scenarios.Templates(), func(t scenarios.Suite) bool { return t.Name == s.Name }) {
		fmt.Fprintf(w, "  limitgauge init --template %s\n", s.Name)
	}
	headings := scenarios.Outline(s.Source)
	fmt.Fprintf(w, "\nScenarios (%d)\n", len(headings))
	for _, h := range headings {
		fmt.Fprintf(w, "  %s\n", h.Name)
		if h.About != "" {
			fmt.Fprint(w, wrap(h.About, "      ", 96))
		}
	}
}
