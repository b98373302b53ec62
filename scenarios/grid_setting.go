package scenarios

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Setting writes the values of cells as YAML to paste: first into the definitions of the
// file, then into the scenario of each cell. with selects the axes, by number. Values inside
// lists are written with their paths, as comments, because the rest of the list is not known
// here.
func (g *Grid) Setting(cells []Cell, with func(axis int) bool) string {
	var definitions branch
	var scenarios strings.Builder
	for _, c := range cells {
		var scenario branch
		lists := ""
		for i := range c.Scenario.Axes {
			a := &c.Scenario.Axes[i]
			value, given := a.Values[c.At[i]], a.nodes[c.At[i]]
			if given == nil || !with(i) {
				continue
			}
			if given.kind == scalar {
				value = plainYAML(value)
			}
			switch path := g.steps(a.Of); {
			case slices.ContainsFunc(path, func(step string) bool { return strings.Contains(step, "[") }):
				lists += "# " + a.Of + ": " + value + "\n"
			case ofDefinition(a.Of):
				definitions.put(path, value)
			default:
				scenario.put(path, value)
			}
		}
		if len(scenario.parts) > 0 || lists != "" {
			scenarios.WriteString("# in the scenario " + Clip(c.Scenario.Name) + ":\n")
		}
		scenario.write(&scenarios, 0)
		scenarios.WriteString(lists)
	}
	var out strings.Builder
	definitions.write(&out, 0)
	return out.String() + scenarios.String()
}

// steps splits a path at its dots, but not within the name of a definition.
func (g *Grid) steps(path string) []string {
	if !ofDefinition(path) {
		return strings.Split(path, ".")
	}
	section, rest, _ := strings.Cut(path, ".")
	definitions := cmp.Or(g.root.get(section), &node{kind: mapping})
	name, rest := definitions.keyOf(rest)
	return append([]string{section, name}, strings.Split(rest, ".")...)
}

// plainYAML writes a value of an axis that is one word: without quotes where YAML allows it.
func plainYAML(text string) string {
	if quoting(text) == 0 {
		return text
	}
	return scalarYAML(text)
}

// branch is a mapping or a value of a YAML text.
type branch struct {
	key, value string
	parts      []*branch
}

func (b *branch) put(path []string, value string) {
	i := slices.IndexFunc(b.parts, func(p *branch) bool { return p.key == path[0] })
	if i < 0 {
		i = len(b.parts)
		b.parts = append(b.parts, &branch{key: path[0]})
	}
	if len(path) == 1 {
		b.parts[i].value = value
		return
	}
	b.parts[i].put(path[1:], value)
}

func (b *branch) write(out *strings.Builder, indent int) {
	for _, p := range b.parts {
		out.WriteString(strings.Repeat("  ", indent) + scalarYAML(p.key) + ":")
		if p.value != "" {
			out.WriteString(" " + p.value)
		}
		out.WriteByte('\n')
		p.write(out, indent+1)
	}
}

// notSet stands for the value of an option that the file does not set.
const notSet = "not set"

// Change is an option of an algorithm with values to try instead of its own, as YAML.
type Change struct {
	Option string
	Values []string
}

// Alone returns the grid in which one option of an algorithm at a time has another value.
// Each scenario of the file stands in it once for each option, which is then its only axis:
// the first scenario with all options, then the second. The first value of an axis is that
// of the file, which may be none. Values that have a problem in a scenario or that sound
// refuses in one, and options without another value are left out.
func (f *File) Alone(algorithm *Algorithm, changes []Change, o Overrides, sound func(*File) bool) *Grid {
	g := &Grid{o: o, loader: loader{catalog: f.catalog}, root: f.root}
	file := *f
	file.Scenarios = nil
	g.File = &file
	fields := g.loader.optionFields(algorithm.Enforcement, algorithm.Counter)
	var axes []Axis
	for _, change := range changes {
		now := notSet
		if algorithm.Options.Set(change.Option) {
			now = optionYAML(catalog.Find(fields, change.Option), algorithm.Options[change.Option].V)
		}
		axis := Axis{Name: change.Option, Of: "algorithms." + algorithm.Name + "." + change.Option}
		for _, text := range append([]string{now}, change.Values...) {
			var value *node // of the file, if it sets none
			if text != notSet {
				value = readYAML([]byte(text), func(place, string, ...any) {})
			}
			fits := func(s Scenario) bool {
				s.Axes = []Axis{{Of: axis.Of, Values: []string{text}, nodes: []*node{value}}}
				bound, problems := g.Bind(Cell{Scenario: &s, At: []int{0}})
				return len(problems) == 0 && sound(bound)
			}
			if !slices.ContainsFunc(f.Scenarios, func(s Scenario) bool { return !fits(s) }) {
				axis.Values, axis.nodes = append(axis.Values, text), append(axis.nodes, value)
			}
		}
		if len(axis.Values) > 1 && axis.Values[0] == now {
			axes = append(axes, axis)
		}
	}
	for _, s := range f.Scenarios {
		for _, axis := range axes {
			s.Axes = []Axis{axis}
			file.Scenarios = append(file.Scenarios, s)
		}
	}
	g.offsets = offsetsOf(file.Scenarios)
	return g
}

// optionYAML writes the value of an option, the kind of a choice alone if it has no options.
func optionYAML(f *catalog.Field, v any) string {
	if c, is := v.(catalog.Choice); is && len(valuesYAML(catalog.Find(f.Choices, c.Name).Fields, c.Values)) == 0 {
		return scalarYAML(c.Name)
	}
	return valueYAML(f, v)
}
