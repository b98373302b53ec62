package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Joined returns the grid of all scenarios that a setting must serve at once. An axis of a
// definition is one of each scenario that uses the definition; of those without axes, of
// each that also accepts. The error names axes that do not fit together.
func (g *Grid) Joined(also func(*Scenario) bool) (*Grid, error) {
	all, err := g.union()
	if err != nil {
		return nil, err
	}
	file := *g.File
	joined := &Grid{File: &file, o: g.o, loader: g.loader, root: g.root}
	file.Scenarios = slices.SortedFunc(slices.Values(slices.Concat(g.File.Scenarios, g.rest)), func(s, t Scenario) int { return cmp.Compare(s.Index, t.Index) })
	file.Scenarios = slices.DeleteFunc(file.Scenarios, func(s Scenario) bool {
		return len(s.Axes) == 0 && (!slices.ContainsFunc(all, func(a Axis) bool { return s.uses(a.Of) }) || !also(&s))
	})
	for i := range file.Scenarios {
		s := &file.Scenarios[i]
		own := slices.Clone(s.Axes)
		for j := range own {
			if len(file.Scenarios) > 1 {
				own[j].Of = resolved(g.alone(s), own[j].Of)
			}
		}
		for _, a := range all {
			if s.axis(a.Name) < 0 && s.uses(a.Of) {
				own = append(own, a)
			}
		}
		s.Axes = own
		if found := joined.overlaps(s); len(found) > 0 {
			return nil, fmt.Errorf("%v", found[0])
		}
	}
	joined.offsets = offsetsOf(file.Scenarios)
	if joined.Padded().Len() > MaxCells {
		return nil, fmt.Errorf("the axes of %s have more than %d cells together: take fewer values", catalog.Join(mapped(file.Scenarios, func(s Scenario) string { return Clip(s.Name) })), MaxCells)
	}
	return joined, nil
}

// union returns the axes of all scenarios, each once. Their paths are those of definitions
// where they vary one.
func (g *Grid) union() (all []Axis, err error) {
	for i := range g.File.Scenarios {
		s := &g.File.Scenarios[i]
		for _, a := range s.Axes {
			a.Of = resolved(g.alone(s), a.Of)
			k := slices.IndexFunc(all, func(b Axis) bool { return b.Name == a.Name })
			if k < 0 {
				all = append(all, a)
			} else if b := all[k]; b.Of != a.Of || !slices.Equal(b.Values, a.Values) {
				return nil, fmt.Errorf("axis %s of %s is not that of a scenario before it: give both the same setting and values, or other names", Clip(a.Name), Clip(s.Name))
			}
		}
	}
	return all, nil
}

// uses reports whether a path is one of a definition that the scenario uses.
func (s *Scenario) uses(path string) bool {
	section, rest, _ := strings.Cut(path, ".")
	var names []string
	switch section {
	case "algorithms":
		names = mapped(s.running(), func(a *Algorithm) string { return a.Name })
	case "policies":
		names = policyNames(s.Policies())
	case "topologies":
		names = []string{s.Topology.Name}
	}
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(rest, name+".") })
}

// Padded returns the grid in which each scenario has the axes of all, in the same order, so
// that cells at the same place in each have the same setting. A scenario is the same at all
// values of an axis that it does not have in g.
func (g *Grid) Padded() *Grid {
	all := []Axis{}
	for _, s := range g.File.Scenarios {
		for _, a := range s.Axes {
			if !slices.ContainsFunc(all, func(b Axis) bool { return b.Name == a.Name }) {
				all = append(all, Axis{Name: a.Name, Of: a.Of, Values: a.Values, nodes: make([]*node, len(a.Values))})
			}
		}
	}
	file := *g.File
	file.Scenarios = slices.Clone(file.Scenarios)
	for i := range file.Scenarios {
		s := &file.Scenarios[i]
		s.Axes = mapped(all, func(a Axis) Axis {
			if k := s.axis(a.Name); k >= 0 {
				return s.Axes[k]
			}
			return a
		})
	}
	return &Grid{File: &file, o: g.o, loader: g.loader, root: g.root, offsets: offsetsOf(file.Scenarios)}
}

// offsetsOf returns the number of the first cell of each scenario, and that of all cells.
func offsetsOf(list []Scenario) []int {
	offsets, cells := []int{0}, 0
	for _, s := range list {
		size := 1
		for _, a := range s.Axes {
			size = min(size*len(a.Values), MaxCells+1)
		}
		cells += size
		offsets = append(offsets, cells)
	}
	return offsets
}
