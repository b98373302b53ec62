package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Axis is a setting of a scenario that a sweep varies.
type Axis struct {
	Name   string   // in the file, or the path on a command line
	Of     string   // path of the setting: traffic[0].rate
	Values []string // at least one, as written

	nodes []*node // of Values
	place place   // of Of
}

// maxAxes and maxAxisValues limit the axes of a scenario, MaxCells the cells of a
// sweep.
const (
	maxAxes       = 8
	maxAxisValues = 1000
	MaxCells      = 100_000
)

// AxisFields declares an axis of a sweep.
func AxisFields() []catalog.Field {
	return []catalog.Field{
		{Name: "of", Kind: catalog.String, Required: true,
			Doc: "path of the setting in the scenario, such as traffic[0].rate, policy.limit or topology.clients, or of a row, such as batch.interval, which is short for algorithms.batch.interval"},
		{Name: "values", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Dependent, Doc: "a value, as the setting itself is written: 50ms, or {share: 1.5}"},
			Doc: "the values, 1 to 1000; or else from, to and steps"},
		{Name: "from", Kind: catalog.String,
			Doc: "the first value: a duration, a rate, a percentage or a number"},
		{Name: "to", Kind: catalog.String,
			Doc: "the last value"},
		{Name: "steps", Kind: catalog.Int, Min: "2", Max: "1000",
			Doc: "number of values, the first and the last included; those between are rounded to three digits, or to more where their distances need it"},
		{Name: "scale", Kind: catalog.Enum, Enum: []string{"linear", "log"}, Default: "linear",
			Doc: "distances between the values: equal differences, or equal ratios"},
	}
}

// tidyColumns are the columns of a sweep as CSV that are no axes.
var tidyColumns = []string{
	"cell", "scenario", "policy", "algorithm", "reference", "exact", "metric", "unit", "mean", "lo", "hi", "replications", "seed", "reason", "key",
}

// axes binds the axes of a scenario.
func (l *loader) axes(n *node) (list []Axis) {
	if n == nil || !l.is(n, mapping) {
		return nil
	}
	if len(n.pairs) == 0 || len(n.pairs) > maxAxes {
		l.report(n.place, "holds %d axes, but should hold 1 to %d", len(n.pairs), maxAxes)
	}
	for _, p := range n.pairs {
		l.name(p.key, p.place)
		if slices.Contains(tidyColumns, p.key) {
			l.report(p.place, "is the name of another column of --format csv: choose another name")
		}
		if a, ok := l.axis(p.key, p.value); ok {
			list = append(list, a)
		}
	}
	return list
}

func (l *loader) axis(name string, n *node) (a Axis, ok bool) {
	v := l.group(n, AxisFields())
	if n.kind != mapping || !v.Set("of") {
		return a, false
	}
	a = Axis{Name: name, Of: v.String("of"), place: n.at("of")}
	ends := slices.DeleteFunc([]string{"from", "to", "steps"}, func(f string) bool { return n.get(f) == nil })
	switch list := n.get("values"); {
	case list != nil && (len(ends) > 0 || v["scale"].Given):
		l.report(list.place, "cannot be combined with from, to, steps and scale: remove one of the two")
	case list != nil && v.Set("values"):
		a.nodes = list.items
	case list != nil: // reported
	case len(ends) < 3:
		l.report(n.place, "needs values, or from, to and steps")
	case v.Set("from") && v.Set("to") && v.Set("steps") && v.Set("scale"):
		texts, err := spaced(v.String("from"), v.String("to"), int(v.Int("steps")), v.String("scale") == "log")
		if err != nil {
			l.report(n.at("from"), "%v", err)
			return a, false
		}
		a.nodes = mapped(texts, func(text string) *node { return &node{kind: scalar, text: text, plain: true, place: n.at("from")} })
	}
	return a, len(a.nodes) > 0 && a.complete(l.report)
}

// complete sets Values, and reports values that are given twice and settings that
// no axis may vary.
func (a *Axis) complete(report reporter) bool {
	if why := fixed(a.Of); why != "" {
		report(a.place, "%s", why)
		return false
	}
	if len(a.nodes) > maxAxisValues {
		report(a.nodes[0].place, "an axis has at most %d values, not %d", maxAxisValues, len(a.nodes))
		return false
	}
	for _, n := range a.nodes {
		text := n.text
		if n.kind != scalar {
			text = n.yaml()
		}
		switch {
		case text == "":
			report(n.place, "has no value")
			return false
		case slices.Contains(a.Values, text):
			report(n.place, "%s is given twice", Clip(text))
			return false
		}
		a.Values = append(a.Values, text)
	}
	return true
}

// fixed returns why no axis may vary a setting, or "".
func fixed(path string) string {
	switch field := firstField(path); field {
	case "seed":
		return "all cells of a sweep have the same seed, so that they differ by their settings alone: add replications"
	case "name", "about", "vary", "expect", "columns", "metrics":
		return fmt.Sprintf("%s is the same in all cells of a sweep", field)
	}
	return ""
}

// yaml writes an axis with its values.
func (a *Axis) yaml() string {
	parts := slices.Clone(a.Values)
	for i, n := range a.nodes {
		if n.kind == scalar {
			parts[i] = scalarYAML(n.text)
		}
	}
	return entryYAML(scalarYAML(a.Name), flow([]string{
		entryYAML("of", scalarYAML(a.Of)), entryYAML("values", "["+strings.Join(parts, ", ")+"]"),
	}))
}
