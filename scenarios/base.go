package scenarios

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Base is a scenario file with every default written out, from which files with other
// values of some settings are made. It states no expectations and has no axes, because
// both are about the values of the file. A Base is safe for concurrent use.
type Base struct {
	dir     string
	catalog catalog.Catalog
	root    *node
	names   []string // of the scenarios
}

// Set is a setting and its value: the path as an axis has it, such as traffic[0].rate, and
// YAML. The paths algorithms and faults set the whole list. No value leaves the setting out.
type Set struct{ Path, Value string }

// Base returns the base of a file. shown names the metrics that tables show of a scenario
// without columns of its own.
func (f *File) Base(shown []string) *Base {
	plain := *f
	plain.Curves, plain.Scenarios = nil, slices.Clone(f.Scenarios)
	b := &Base{dir: f.Dir, catalog: f.catalog}
	for i := range plain.Scenarios {
		s := &plain.Scenarios[i]
		b.names = append(b.names, s.Name)
		s.Columns = columnsWith(s, shown)
		s.Expect, s.Axes = nil, nil
	}
	b.root = readYAML(plain.Effective(), func(place, string, ...any) {})
	b.root = b.root.withField("scenarios", openEnds(b.root.get("scenarios"), f.Scenarios))
	return b
}

// columnsWith returns the columns of a scenario with the metrics that it expects something
// of and, if it has no columns of its own, those shown without.
func columnsWith(s *Scenario, shown []string) (columns []string) {
	all := slices.Concat(s.Columns, mapped(s.Expect, func(e Expectation) string { return e.Metric }))
	if len(s.Columns) == 0 {
		all = append(all, shown...)
	}
	for _, name := range all {
		if !slices.Contains(columns, name) && !slices.Contains(catalog.Headline(), name) {
			columns = append(columns, name)
		}
	}
	return columns
}

// openEnds returns the scenarios without the ends of traffic that are those of the
// scenario, so that they move with its duration.
func openEnds(list *node, of []Scenario) *node {
	out := *list
	out.items = slices.Clone(list.items)
	for i := range of {
		traffic := *out.items[i].get("traffic")
		traffic.items = slices.Clone(traffic.items)
		for k := range of[i].Traffic {
			if of[i].Traffic[k].To == of[i].Duration {
				traffic.items[k] = traffic.items[k].dropped("to")
			}
		}
		out.items[i] = out.items[i].withField("traffic", &traffic)
	}
	return &out
}

// dropped returns a mapping without a field.
func (n *node) dropped(key string) *node {
	m := *n
	m.pairs = slices.DeleteFunc(slices.Clone(n.pairs), func(p pair) bool { return p.key == key })
	return &m
}

// Names returns the names of the scenarios.
func (b *Base) Names() []string { return b.names }

// With returns the file of a scenario alone, with other values of some settings. Values
// are set in their order. The problems name the settings; their positions mean nothing.
func (b *Base) With(scenario string, sets []Set) (*File, []Problem) {
	found := &problems{path: "-"}
	i := slices.Index(b.names, scenario)
	if i < 0 {
		return nil, []Problem{{Path: "-", Message: unknownName("scenario", scenario, b.names).Error()}}
	}
	root := withScenario(b.root, b.root.get("scenarios").items[i])
	l := loader{catalog: b.catalog}
	for _, set := range sets {
		at := place{path: &path{name: set.Path}}
		changed, err := l.apply(root, set, at)
		if err != nil {
			found.report(at, "%v", err)
			continue
		}
		root = changed
	}
	f := &File{Path: "-", Dir: b.dir, catalog: b.catalog}
	bound := loader{catalog: b.catalog, file: f, root: root, alone: true}
	bound.report = found.report
	if len(found.list) == 0 {
		bound.load(root)
	}
	if len(found.list) > 0 {
		return nil, slices.Compact(found.list)
	}
	return f, nil
}

// apply returns a file of one scenario in which a setting has a value, for the problems of
// which at stands.
func (l *loader) apply(root *node, set Set, at place) (*node, error) {
	if slices.Contains([]string{"name", "about", "vary", "expect", "scenarios"}, firstField(set.Path)) {
		return nil, fmt.Errorf("is the same whatever the settings are")
	}
	if set.Value == "" {
		if firstField(set.Path) != set.Path {
			return nil, fmt.Errorf("needs a value")
		}
		return withScenario(root, onlyScenario(root).dropped(set.Path)), nil
	}
	var wrong error
	value := readYAML([]byte(set.Value), func(_ place, format string, args ...any) {
		wrong = fmt.Errorf(format, args...)
	})
	if wrong != nil {
		return nil, wrong
	}
	if value == nil {
		return nil, fmt.Errorf("needs a value")
	}
	value.rebase(at)
	return l.set(root, &Axis{Of: set.Path, place: at}, value)
}

// rebase places a value that was read alone, and what is in it.
func (n *node) rebase(at place) {
	n.place = at
	for _, item := range n.items {
		item.rebase(at)
	}
	for i := range n.pairs {
		n.pairs[i].place = at
		n.pairs[i].value.rebase(at)
	}
}

// ValueText returns a bound value as a file gives it, in the notation of its field.
func ValueText(f *catalog.Field, v any) string { return valueYAML(f, v) }

// OptionFields returns the options of an algorithm: those of its enforcement and its
// counter.
func OptionFields(cat catalog.Catalog, a *Algorithm) []catalog.Field {
	l := loader{catalog: cat}
	return l.optionFields(a.Enforcement, a.Counter)
}

// Quote writes text as a YAML scalar, quoted if necessary.
func Quote(text string) string { return scalarYAML(text) }
