package scenarios

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Curve draws one figure of several scenarios against another, with a line for
// each algorithm: how a figure grows from scenario to scenario.
type Curve struct {
	Name      string
	About     string
	X         string   // one of CurveSettings or a metric
	Y         string   // a metric
	Scenarios []string // at least two
}

// CurveSettings lists what a curve may have as x besides metrics: the numbers
// of the scenario's topology.
func CurveSettings() []string { return []string{"clients", "servers"} }

// CurveFields declares a curve.
func CurveFields() []catalog.Field {
	return []catalog.Field{
		{Name: "name", Kind: catalog.String, Required: true,
			Doc: "unique among the curves of the file"},
		{Name: "about", Kind: catalog.String,
			Doc: "what to look for"},
		{Name: "x", Kind: catalog.String, Required: true,
			Doc: "what the scenarios vary: clients, servers or a metric, for example offered_per_s"},
		{Name: "y", Kind: catalog.String, Required: true,
			Doc: "a metric"},
		{Name: "scenarios", Kind: catalog.List, Required: true, Elem: &catalog.Field{Kind: catalog.String, Doc: "name of a scenario of the file"},
			Doc: "names of at least two scenarios of the file; an algorithm of at least two of them has a line"},
	}
}

// curves binds the list of curves. A metric of the full set makes the curve's
// scenarios measure that set.
func (l *loader) curves(root *node) {
	known := mapped(l.file.Scenarios, func(s Scenario) string { return s.Name })
	for _, item := range l.items(root.get("curves")) {
		v := l.group(item, CurveFields())
		if item.kind != mapping {
			continue
		}
		c := Curve{Name: v.String("name"), About: v.String("about"), X: v.String("x"), Y: v.String("y")}
		if v.Set("name") {
			l.name(c.Name, item.at("name"))
			if slices.ContainsFunc(l.file.Curves, func(o Curve) bool { return o.Name == c.Name }) {
				l.report(item.at("name"), "another curve is called %s", Clip(c.Name))
			}
		}
		full := false
		if v.Set("x") && !slices.Contains(CurveSettings(), c.X) {
			full = l.fullMetric(c.X, item.at("x"), CurveSettings()...)
		}
		if v.Set("y") {
			full = l.fullMetric(c.Y, item.at("y")) || full
		}
		c.Scenarios = l.curveScenarios(item.get("scenarios"), known)
		for i := range l.file.Scenarios {
			s := &l.file.Scenarios[i]
			s.Full = s.Full || full && slices.Contains(c.Scenarios, s.Name)
		}
		l.file.Curves = append(l.file.Curves, c)
	}
}

// fullMetric reports whether a metric is of the full set. It reports a name that
// is not that of a metric.
func (l *loader) fullMetric(name string, at place, others ...string) bool {
	metric := l.metric(name, at, others...)
	return metric != nil && metric.Full
}

// curveScenarios returns the scenarios that a curve names.
func (l *loader) curveScenarios(n *node, known []string) (names []string) {
	if n == nil || n.kind != sequence || len(n.items) == 0 {
		return nil // reported with the fields
	}
	for _, item := range n.items {
		switch {
		case item.kind != scalar:
		case !slices.Contains(known, item.text):
			l.report(item.place, "%v", unknownName("scenario", item.text, known))
		case slices.Contains(names, item.text):
			l.report(item.place, "scenario %s is listed twice", Clip(item.text))
		default:
			names = append(names, item.text)
		}
	}
	if len(n.items) < 2 {
		l.report(n.place, "holds %d scenarios, but a curve needs at least 2", len(n.items))
	}
	return names
}

// keepCurves removes the scenarios that the file no longer has from its curves,
// and curves with fewer than two.
func (f *File) keepCurves() {
	var kept []Curve
	for _, c := range f.Curves {
		c.Scenarios = slices.DeleteFunc(slices.Clone(c.Scenarios), func(name string) bool {
			return !slices.ContainsFunc(f.Scenarios, func(s Scenario) bool { return s.Name == name })
		})
		if len(c.Scenarios) > 1 {
			kept = append(kept, c)
		}
	}
	f.Curves = kept
}

// curves writes the curves.
func (w *writer) curves(list []Curve) {
	for i, c := range list {
		if i == 0 {
			w.line(0, "curves:")
		}
		w.line(1, "- %s", flow(valuesYAML(CurveFields(), values(map[string]any{
			"name": c.Name, "about": unless(c.About == "", c.About), "x": c.X, "y": c.Y, "scenarios": boundTexts(c.Scenarios),
		}))))
	}
}
