// Package describe says what list, explain and help say about the things that a scenario
// can name.
//
// The package makes no promise: it can change at any time.
package describe

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// Kinds lists what list can print and explain can describe, in its order.
var Kinds = []string{"algorithms", "counters", "enforcements", "patterns", "faults", "metrics", "targets", "scenarios", "words", "output"}

// subject is something that list prints and explain describes.
type subject struct {
	Name, Summary string
	explain       func(w *strings.Builder)
}

// Subjects returns the subjects of a kind. Those of different kinds may have the
// same name.
func Subjects(all catalog.Catalog, kind string) (list []subject) {
	add := func(name, summary string, explain func(w *strings.Builder)) {
		list = append(list, subject{name, summary, explain})
	}
	entries := func(what string, entries []catalog.Entry) {
		for _, e := range entries {
			add(e.Name, e.Summary, func(w *strings.Builder) {
				explainEntry(w, what, "", &e)
				explainFields(w, "Options", e.Fields, nil)
			})
		}
	}
	switch kind {
	case "algorithms":
		for _, p := range all.Presets {
			add(p.Name, p.Summary, func(w *strings.Builder) { explainPreset(w, all, &p) })
		}
	case "counters":
		entries("counter", all.Counters)
	case "enforcements":
		entries("enforcement", all.Enforcements)
	case "patterns":
		entries("traffic pattern", all.Patterns)
	case "faults":
		for _, e := range scenarios.FaultKinds() {
			add(e.Name, e.Summary, func(w *strings.Builder) { explainFault(w, &e) })
		}
	case "metrics":
		for _, m := range all.Metrics {
			add(m.Name, m.Doc, func(w *strings.Builder) { explainMetric(w, &m) })
		}
	case "targets":
		entries("real limiter of limitgauge live", targetEntries())
	case "scenarios":
		for _, s := range scenarios.Suites() {
			add(s.Name, s.About, func(w *strings.Builder) { explainSuite(w, &s) })
		}
	case "words":
		for _, word := range Words {
			add(word.Name, word.meaning+" ("+word.source+")", func(w *strings.Builder) { explainWord(w, &word) })
		}
	case "output":
		for _, p := range printedWords {
			for _, name := range strings.Split(p.names, "|") {
				add(name, p.meaning, func(w *strings.Builder) { explainPrinted(w, name, &p) })
			}
		}
	}
	return list
}

// Names returns the names of a kind in limitgauge itself.
func Names(kind string) []string { return namesIn(sim.Catalog(), kind) }

// namesIn returns the names of a kind in a catalog.
func namesIn(all catalog.Catalog, kind string) []string {
	return lists.Map(Subjects(all, kind), func(s subject) string { return s.Name })
}

// explainFault describes a fault, the enforcements it affects, and how to write
// it.
func explainFault(w *strings.Builder, e *catalog.Entry) {
	var given []string
	for i := range e.Fields {
		if i == 0 || e.Fields[i].Required {
			given = append(given, e.Fields[i].Name+": ...")
		}
	}
	explainEntry(w, "fault", fmt.Sprintf("In a scenario\n  faults:\n    - %s: {%s}\n", e.Name, strings.Join(given, ", ")), e)
	affected := lists.Where(Names("enforcements"), func(name string) bool {
		return limiters.Of(&scenarios.Algorithm{Enforcement: name}).IsAffectedBy(e.Name)
	})
	fmt.Fprintf(w, "\nEnforcements that it affects\n%s", usage.Wrap(strings.Join(affected, ", "), "  ", 96))
	fmt.Fprintf(w, "\nIt touches\n%s", usage.Wrap(e.Touches, "  ", 96))
	explainFields(w, "Options", e.Fields, nil)
}

// explainSuite describes a shipped scenario file.
func explainSuite(w *strings.Builder, s *scenarios.Suite) {
	fmt.Fprintf(w, "%s (scenario file)\n%s\nUse\n  limitgauge run %s\n  limitgauge run %s --scenario NAME\n",
		s.Name, usage.Wrap(s.About, "", 96), s.Name, s.Name)
	fmt.Fprintf(w, "  limitgauge init --template %s\n", s.Name)
	headings := scenarios.Outline(s.Source)
	fmt.Fprintf(w, "\nScenarios (%d)\n", len(headings))
	for _, h := range headings {
		fmt.Fprintf(w, "  %s\n", h.Name)
		if h.About != "" {
			fmt.Fprint(w, usage.Wrap(h.About, "      ", 96))
		}
	}
}
