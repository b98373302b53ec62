package describe

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// unit matches what ends a heading: the unit of its figures, or what they are shares of.
var unit = regexp.MustCompile(`(,.*|/.*| per second| ms)$`)

// Explain prints everything of the given name. A preset replaces a counter or enforcement
// of the same name; a suite and an enforcement may share a name. Metrics that tables print
// under the name follow. If it is a word of a publication or of the output at most, so do
// the metrics of its family and the options of that name. A heading may end in its unit.
func Explain(w io.Writer, all catalog.Catalog, name string) error {
	known := slices.Concat(lists.Map(Kinds, func(kind string) []string { return namesIn(all, kind) })...)
	known = append(known, optionNames()...)
	typed := name
	name = spelled(name, known)
	var parts []string
	add := func(explain func(*strings.Builder)) {
		var text strings.Builder
		if explain(&text); text.Len() > 0 {
			parts = append(parts, text.String())
		}
	}
	preset, named := slices.Contains(namesIn(all, "algorithms"), name), false
	for _, kind := range Kinds {
		for _, s := range Subjects(all, kind) {
			if s.Name != name || preset && (kind == "counters" || kind == "enforcements") {
				continue
			}
			add(s.explain)
			named = named || kind != "words" && kind != "output"
		}
	}
	headed := headedBy(all.Metrics, typed)
	for _, m := range headed {
		if m.Name != name && (!named || typed != name) {
			add(func(w *strings.Builder) { explainMetric(w, &m) })
		}
	}
	if !named {
		if len(headed) == 0 && (len(parts) > 0 || !slices.Contains(optionNames(), name)) {
			add(func(w *strings.Builder) { explainFamily(w, name, familyOf(all.Metrics, name)) })
		}
		add(func(w *strings.Builder) { explainOption(w, name) })
	}
	if len(parts) > 0 {
		_, err := io.WriteString(w, strings.Join(parts, "\n"))
		return err
	}
	if heading := unit.ReplaceAllString(typed, ""); heading != typed && Explain(w, all, heading) == nil {
		return nil
	}
	known = append(known, lists.Map(all.Metrics, func(m catalog.Metric) string { return table.ColumnOf(m.Name, all.Metrics).Label() })...)
	slices.Sort(known)
	return usage.Errorf("nothing is called %q%s; see limitgauge list, and for names of scenarios and rows their file", name, scenarios.Suggest(name, slices.Compact(known)))
}

// explainPreset describes a preset, with the options of its enforcement and
// counter as it sets them.
func explainPreset(w *strings.Builder, all catalog.Catalog, p *catalog.Preset) {
	what := "algorithm: enforcement " + p.Enforcement
	if p.Counter != "" {
		what += " over counter " + p.Counter
	}
	explainEntry(w, what, presetLead(p), p.Entry())
	for _, e := range []*catalog.Entry{catalog.Find(all.Enforcements, p.Enforcement), all.Counter(p.Counter)} {
		if len(e.Fields) > 0 {
			explainFields(w, "Options of "+e.Name, e.Fields, p.Options)
		}
	}
}

// presetLead states the options that a preset sets, which are few of those that it has.
func presetLead(p *catalog.Preset) string {
	if len(p.Options) == 0 {
		return "It sets\n  no option: it is the enforcement and the counter with their defaults\n"
	}
	set := lists.Map(slices.Sorted(maps.Keys(p.Options)), func(name string) string { return name + ": " + p.Options[name] })
	return "It sets\n" + usage.Wrap(strings.Join(set, ", "), "  ", 96)
}

// explainEntry describes an entry. lead comes first, after its summary.
func explainEntry(w *strings.Builder, what, lead string, e *catalog.Entry) {
	fmt.Fprintf(w, "%s (%s)\n%s\n", e.Name, what, e.Summary)
	if lead != "" {
		fmt.Fprintf(w, "\n%s", lead)
	}
	for _, part := range []struct{ title, text string }{{"Idea", e.Idea}, {"Bound", e.Bound}, {"Source", e.Source}} {
		if part.text != "" {
			fmt.Fprintf(w, "\n%s\n%s", part.title, usage.Wrap(part.text, "  ", 96))
		}
	}
}

func explainMetric(w *strings.Builder, m *catalog.Metric) {
	metricSet := "basic, always measured"
	if m.Full {
		metricSet = "full, measured with metrics: full or when an expect names it"
	}
	better := map[int]string{-1: "lower is better", 0: "neither way is better", 1: "higher is better"}[m.Better]
	fmt.Fprintf(w, "%s (metric)\n%s\nFormula\n%s\nUnit\n  %s; %s\n\nMetric set\n  %s\n", m.Name, usage.Wrap(m.Doc, "", 96), usage.Wrap(m.Formula, "  ", 96), m.Unit, better, metricSet)
}

// explainFields lists options. set holds the values that a preset sets.
func explainFields(w *strings.Builder, title string, fields []catalog.Field, set map[string]string) {
	if len(fields) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for i := range fields {
		f := &fields[i]
		value := f.Default
		if v, ok := set[f.Name]; ok {
			value = v + " (set by the preset)"
		}
		switch {
		case value != "":
			value = "default " + value
		case f.Required:
			value = "required"
		default:
			value = "not set"
		}
		fmt.Fprintf(w, "  %s: %s, %s\n%s", f.Name, f.Takes(), value, usage.Wrap(f.Text(), "      ", 96))
		for _, c := range f.Choices {
			fmt.Fprintf(w, "%s", usage.Wrap(c.Name+fieldNames(c.Fields)+": "+c.Summary, "        ", 96))
		}
		inside := f.Fields
		if f.Elem != nil {
			inside = f.Elem.Fields
		}
		for _, inner := range inside {
			fmt.Fprintf(w, "%s", usage.Wrap(fmt.Sprintf("%s (%s): %s", inner.Name, inner.Takes(), inner.Text()), "        ", 96))
		}
	}
}

func fieldNames(fields []catalog.Field) string {
	if len(fields) == 0 {
		return ""
	}
	names := lists.Map(fields, func(f catalog.Field) string { return f.Name + " " + f.Takes() })
	return " {" + strings.Join(names, ", ") + "}"
}
