package reference

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// declared holds the mappings of the scenario language, by the names that pages
// use.
var declared = map[string]func() []catalog.Field{
	"file":       scenarios.FileFields,
	"run":        scenarios.RunFields,
	"policy":     scenarios.PolicyFields,
	"topology":   scenarios.TopologyFields,
	"algorithm":  scenarios.AlgorithmFields,
	"scenario":   scenarios.ScenarioFields,
	"traffic":    scenarios.TrafficFields,
	"curve":      scenarios.CurveFields,
	"axis":       scenarios.AxisFields,
	"descriptor": scenarios.DescriptorFields,
	"retries":    scenarios.RetriesFields,
	"guard":      scenarios.GuardFields,
}

// unions holds the fields whose value is one of several kinds.
var unions = map[string]func() []catalog.Entry{
	"network":      scenarios.NetworkKinds,
	"keys":         scenarios.KeyKinds,
	"tenants":      scenarios.TenantKinds,
	"spread":       scenarios.SpreadKinds,
	"cost":         scenarios.CostKinds,
	"answer":       scenarios.AnswerKinds,
	"service_time": scenarios.ServiceTimeKinds,
	"backoff":      scenarios.BackoffKinds,
	"jitter":       scenarios.JitterKinds,
	"faults":       scenarios.FaultKinds,
}

// describe returns the description of a catalog entry.
func describe(e *catalog.Entry) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s.\n\n", capital(e.Summary))
	for _, part := range []struct{ title, text string }{{"Idea", sentence(e.Idea)}, {"Bound", sentence(e.Bound)}, {"Source", stopped(e.Source)}} {
		if part.text != "" {
			fmt.Fprintf(&out, "**%s.** %s\n\n", part.title, part.text)
		}
	}
	return out.String()
}

// capital returns a text with an upper-case first letter, unless it starts with
// a symbol such as the d of "d interval".
func capital(text string) string {
	if len(text) < 2 || text[1] == ' ' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// sentence returns a text with an upper-case first letter and a full stop.
func sentence(text string) string { return capital(stopped(text)) }

// stopped returns a text with a full stop. It leaves an empty text empty.
func stopped(text string) string {
	if text == "" {
		return ""
	}
	return strings.TrimRight(text, ".") + "."
}

// fieldTable lists fields. The fields inside a field follow it, with their path.
func fieldTable(fields []catalog.Field) string {
	if len(fields) == 0 {
		return "It has no options.\n"
	}
	t := table{header: []string{"field", "value", "default", "meaning"}}
	addFields(&t, "", fields)
	return t.String()
}

func addFields(t *table, prefix string, fields []catalog.Field) {
	for i := range fields {
		f := &fields[i]
		t.add("`"+prefix+f.Name+"`", value(f), standard(f), f.Text())
		switch f.Kind {
		case catalog.Group:
			addFields(t, prefix+f.Name+".", f.Fields)
		case catalog.List:
			addFields(t, prefix+f.Name+"[].", f.Elem.Fields)
		case catalog.Union:
			for _, c := range f.Choices {
				if !inSection(f) && f.Definition == "" { // the page lists the kinds of a definition once
					t.add("`"+prefix+f.Name+": "+c.Name+"`", "", "", c.Summary)
					addFields(t, prefix+f.Name+"."+c.Name+".", c.Fields)
				}
			}
		}
	}
}

// inSection reports whether a section of its own describes a union's choices.
// Other unions may have the same name.
func inSection(f *catalog.Field) bool {
	kinds := unions[f.Name]
	return kinds != nil && reflect.DeepEqual(f.Choices, kinds())
}

// value describes the values that a field accepts. A field whose value depends on
// names in the file has a text of its own. A union with a section has a link.
func value(f *catalog.Field) string {
	switch {
	case f.Kind == catalog.Dependent:
		return "see below"
	case f.Kind == catalog.Union && inSection(f):
		return fmt.Sprintf("[%s](#%s)", f.Takes(), f.Name)
	case f.Kind == catalog.List && len(f.Elem.Fields) == 0:
		return "list, each " + f.Elem.Takes()
	}
	return f.Takes()
}

// standard returns the default of a field.
func standard(f *catalog.Field) string {
	switch {
	case f.Required:
		return "required"
	case f.Default == "":
		return "-"
	}
	return "`" + f.Default + "`"
}

// kindTable lists the kinds of a union with their fields.
func kindTable(kinds []catalog.Entry) string {
	t := table{header: []string{"kind or field", "value", "default", "meaning"}}
	for _, k := range kinds {
		meaning := k.Summary
		if k.Touches != "" {
			meaning += "; it touches " + k.Touches
		}
		t.add("`"+k.Name+"`", "", "", meaning)
		addFields(&t, k.Name+".", k.Fields)
	}
	return t.String()
}

// table collects the rows of a Markdown table.
type table struct {
	header []string
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	var out strings.Builder
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = strings.ReplaceAll(strings.ReplaceAll(c, "|", `\|`), "\n", " ")
		}
		out.WriteString("| " + strings.Join(escaped, " | ") + " |\n")
	}
	line(t.header)
	out.WriteString("|" + strings.Repeat(" --- |", len(t.header)) + "\n")
	for _, row := range t.rows {
		line(row)
	}
	return out.String()
}
