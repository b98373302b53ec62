package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// Bind returns the file of a cell: the scenario alone, with the values of the cell.
// Names, seed and all other settings are those of every cell. The problems have
// positions in the file of the grid.
func (g *Grid) Bind(c Cell) (*File, []Problem) {
	found := &problems{path: g.File.Path}
	root := g.alone(c.Scenario)
	for _, definitions := range []bool{true, false} { // lists of names are expanded after definitions have changed
		for j := range c.Scenario.Axes {
			a := &c.Scenario.Axes[j]
			if ofDefinition(a.Of) != definitions || a.nodes[c.At[j]] == nil {
				continue
			}
			changed, err := g.loader.set(root, a, a.nodes[c.At[j]])
			if err != nil {
				found.report(a.place, "%s of %s: %v", Clip(a.Of), Clip(c.Scenario.Name), err)
				continue
			}
			root = changed
		}
	}
	f := &File{Path: g.File.Path, Dir: g.File.Dir, catalog: g.loader.catalog}
	l := loader{catalog: g.loader.catalog, file: f, root: root, alone: true}
	l.report = found.report
	l.load(root)
	if len(found.list) > 0 {
		found.list = mapped(found.list, c.Within)
		return nil, found.sorted()
	}
	l.effects()
	o := g.o
	o.Only = nil
	if err := f.Override(o); err != nil {
		panic(err) // the same overrides fit the file
	}
	s := &f.Scenarios[0]
	s.Axes, s.Index, s.Full = nil, c.Scenario.Index, s.Full || c.Scenario.Full
	return f, nil
}

// alone returns the file with a scenario alone, without its axes.
func (g *Grid) alone(s *Scenario) *node {
	return withScenario(g.root, g.root.get("scenarios").items[s.Index].withField("vary", &node{kind: mapping}))
}

// overlaps returns the axes of a scenario that vary a setting which an earlier axis
// varies, too.
func (g *Grid) overlaps(s *Scenario) []Problem {
	found := &problems{path: g.File.Path}
	root := g.alone(s)
	for j := range s.Axes {
		for k := range s.Axes[:j] {
			one, other := &s.Axes[k], &s.Axes[j]
			a, b := resolved(root, one.Of), resolved(root, other.Of)
			if within(a, b) || within(b, a) {
				found.report(other.place, "axis %s of %s varies the same setting as axis %s: %s", Clip(other.Name), Clip(s.Name), Clip(one.Name), Clip(one.Of))
			}
		}
	}
	return found.list
}

// ofDefinition reports whether a path begins at the definitions of the file.
func ofDefinition(path string) bool {
	section, _, dotted := strings.Cut(path, ".")
	return dotted && slices.Contains([]string{"algorithms", "policies", "topologies"}, section)
}

// WithCell begins the part of a problem's message that names the cell.
const WithCell = " (with "

// Within names the cell in a problem of it, unless the problem is one of a value alone.
func (c Cell) Within(p Problem) Problem {
	if !strings.HasPrefix(p.Field, fmt.Sprintf("scenarios[%d].vary.", c.Scenario.Index)) && !strings.HasPrefix(p.Field, "--vary ") {
		p.Message += WithCell + c.String() + ")"
	}
	return p
}

// Same returns the problem of two cells that are the same scenario: an axis has no
// effect, or two of its values mean the same.
func (g *Grid) Same(one, other Cell) Problem {
	found := &problems{path: g.File.Path}
	for j, k := range other.At {
		if k == one.At[j] {
			continue
		}
		a := &other.Scenario.Axes[j]
		found.report(a.nodes[k].place, "%s changes nothing in %s: %s and %s are the same scenario", Clip(a.Name), Clip(other.Scenario.Name), Clip(a.Values[one.At[j]]), Clip(a.Values[k]))
		break
	}
	return found.list[0]
}

// Without returns, by axis of a cell that is bound, the conditions without which its value
// has no effect there, "" where it has one.
func (c Cell) Without(bound *File) []string {
	list := make([]string, len(c.At))
	for j, k := range c.At {
		a := &c.Scenario.Axes[j]
		for _, w := range bound.Scenarios[0].Warnings {
			conditions, idle := strings.CutPrefix(w.Message, noEffect)
			if option := w.Field[max(0, strings.LastIndexByte(w.Field, '.')):]; idle && a.nodes[k] != nil && w.Pos == a.nodes[k].pos && strings.HasSuffix(a.Of, option) {
				list[j] = conditions
			}
		}
	}
	return list
}

// Idle returns the problem of an axis none of whose values has an effect without conditions.
func (g *Grid) Idle(c Cell, axis int, conditions string) Problem {
	found := &problems{path: g.File.Path}
	a := &c.Scenario.Axes[axis]
	found.report(a.nodes[c.At[axis]].place, "%s changes nothing in %s: it has an effect only with %s", Clip(a.Name), Clip(c.Scenario.Name), conditions)
	return found.list[0]
}

// Text returns the scenario file of a cell: running it gives the document of the cell.
func (g *Grid) Text(c Cell) ([]byte, []Problem) {
	f, found := g.Bind(c)
	if len(found) > 0 {
		return nil, found
	}
	return f.Effective(), nil
}
