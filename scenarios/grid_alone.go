package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Change is an option of an algorithm with values to try instead of its own, as YAML.
type Change struct {
	Option string
	Values []string
}

// Alone returns the grid in which one option of an algorithm at a time has another value.
// The only scenario of the file stands in it once for each option, which is then its only
// axis. The first value of the axis is that of the file. Values with problems, those that
// sound refuses, and options without another value are left out.
func (f *File) Alone(algorithm *Algorithm, changes []Change, o Overrides, sound func(*File) bool) *Grid {
	g := &Grid{o: o, loader: loader{catalog: f.catalog}, root: readYAML(f.Source, func(place, string, ...any) {})}
	file := *f
	file.Scenarios = nil
	g.File = &file
	fields := g.loader.optionFields(algorithm.Enforcement, algorithm.Counter)
	cells := 0
	for _, change := range changes {
		s := f.Scenarios[0]
		now := optionYAML(catalog.Find(fields, change.Option), algorithm.Options[change.Option].V)
		axis := Axis{Name: change.Option, Of: "algorithms." + algorithm.Name + "." + change.Option}
		for _, text := range append([]string{now}, change.Values...) {
			s.Axes = []Axis{{Of: axis.Of, Values: []string{text}, nodes: []*node{readYAML([]byte(text), func(place, string, ...any) {})}}}
			if bound, problems := g.Bind(Cell{Scenario: &s, At: []int{0}}); len(problems) == 0 && sound(bound) {
				axis.Values, axis.nodes = append(axis.Values, text), append(axis.nodes, s.Axes[0].nodes[0])
			}
		}
		if len(axis.Values) < 2 || axis.Values[0] != now {
			continue
		}
		s.Axes = []Axis{axis}
		file.Scenarios = append(file.Scenarios, s)
		g.offsets = append(g.offsets, cells)
		cells += len(axis.Values)
	}
	g.offsets = append(g.offsets, cells)
	return g
}

// optionYAML writes the value of an option, the kind of a choice alone if it has no options.
func optionYAML(f *catalog.Field, v any) string {
	if c, is := v.(catalog.Choice); is && len(valuesYAML(catalog.Find(f.Choices, c.Name).Fields, c.Values)) == 0 {
		return scalarYAML(c.Name)
	}
	return valueYAML(f, v)
}
