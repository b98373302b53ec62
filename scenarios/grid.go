package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Grid holds the cells of a sweep: for each scenario the product of its axes. Cells
// are numbered from 0 in the order of the scenarios; the values of the last axis
// change first. A Grid is safe for concurrent use.
type Grid struct {
	File *File // with the overrides, and the axes in its scenarios

	loader  loader // with the catalog
	root    *node
	o       Overrides
	offsets []int      // of each scenario, the number of its first cell; then that of all cells
	rest    []Scenario // without axes
}

// Cell is one cell of a Grid.
type Cell struct {
	Number   int
	Scenario *Scenario // with the values of the file, not those of the cell
	At       []int     // by axis of the scenario: the number of its value
}

// LoadGrid loads a scenario file and makes the grid of its axes. Scenarios without axes
// are left out. vary holds axes of the command line, as AXIS=VALUES. They replace axes
// of the file of the same name, or vary the setting that AXIS is the path of in each
// scenario. The error is one of the command line.
func LoadGrid(path string, source []byte, dir string, cat catalog.Catalog, vary []string, o Overrides) (*Grid, []Problem, error) {
	f, found := LoadSound(path, source, dir, cat, o)
	if len(found) > 0 {
		return nil, found, nil
	}
	if err := f.Override(o); err != nil {
		return nil, nil, err
	}
	g := &Grid{File: f, o: o, loader: loader{catalog: cat}, root: f.root}
	for _, text := range vary {
		if err := g.vary(text); err != nil {
			return nil, nil, err
		}
	}
	first := f.Scenarios[0]
	g.rest = slices.DeleteFunc(slices.Clone(f.Scenarios), func(s Scenario) bool { return len(s.Axes) > 0 })
	f.Scenarios = slices.DeleteFunc(f.Scenarios, func(s Scenario) bool { return len(s.Axes) == 0 })
	if len(f.Scenarios) == 0 {
		return nil, []Problem{{Path: f.Path, Pos: first.Pos, Field: fmt.Sprintf("scenarios[%d]", first.Index),
			Message: fmt.Sprintf("%s has no axes: add vary to it, or give axes with --vary", Clip(first.Name))}}, nil
	}
	f.keepCurves()
	for i := range f.Scenarios {
		found = append(found, g.overlaps(&f.Scenarios[i])...)
	}
	if len(found) > 0 {
		return nil, found, nil
	}
	if g.offsets = offsetsOf(f.Scenarios); g.Len() > MaxCells {
		return nil, nil, fmt.Errorf("the axes have more than %d cells: take fewer values", MaxCells)
	}
	return g, nil, nil
}

// vary adds an axis of the command line, or replaces those of its name.
func (g *Grid) vary(text string) error {
	name, list, ok := cutAxis(text)
	if !ok {
		return fmt.Errorf("--vary %s: want AXIS=VALUE,VALUE,... or AXIS=FROM..TO:STEPS[:log]", Clip(text))
	}
	texts, err := axisValues(list)
	if err != nil {
		return fmt.Errorf("--vary %s: %w", Clip(text), err)
	}
	at := place{path: &path{name: "--vary " + name}}
	a := Axis{Name: name, Of: name, place: at}
	for _, value := range texts {
		at := place{path: &path{name: "--vary " + name + "=" + value}}
		n := &node{kind: scalar, text: value, plain: true}
		if structured(value) {
			n = readYAML([]byte(value), func(_ place, format string, args ...any) { err = fmt.Errorf(format, args...) })
		}
		if err != nil {
			return fmt.Errorf("--vary %s: %s: %w", Clip(text), Clip(value), err)
		}
		n.rebase(at)
		a.nodes = append(a.nodes, n)
	}
	var wrong error
	if !a.complete(func(_ place, format string, args ...any) {
		wrong = fmt.Errorf("--vary %s: "+format, append([]any{Clip(text)}, args...)...)
	}) {
		return wrong
	}
	found := false
	for i := range g.File.Scenarios {
		if k := g.File.Scenarios[i].axis(name); k >= 0 {
			found = true
			replaced := &g.File.Scenarios[i].Axes[k]
			replaced.nodes, replaced.Values = a.nodes, a.Values
		}
	}
	if found {
		return nil
	}
	if slices.Contains(tidyColumns, name) {
		return fmt.Errorf("--vary %s: %s is the name of another column of --format csv: write the axis into the file, under another name", Clip(text), Clip(name))
	}
	for i := range g.File.Scenarios {
		s := &g.File.Scenarios[i]
		a.Of = s.fullPath(name)
		if !s.uses(a.Of) && slices.ContainsFunc(g.File.Scenarios, func(s Scenario) bool { return s.uses(s.fullPath(name)) }) {
			continue // it is a setting of a definition that others use
		}
		if s.Axes = append(slices.Clone(s.Axes), a); len(s.Axes) > maxAxes {
			return fmt.Errorf("--vary %s: %s has more than %d axes", Clip(text), Clip(s.Name), maxAxes)
		}
	}
	return nil
}

// cutAxis splits AXIS=VALUES.
func cutAxis(text string) (name, values string, ok bool) {
	name, values, ok = strings.Cut(text, "=")
	return strings.TrimSpace(name), strings.TrimSpace(values), ok && strings.TrimSpace(name) != "" && strings.TrimSpace(values) != ""
}

// axis returns the number of the axis with a name, or -1.
func (s *Scenario) axis(name string) int {
	return slices.IndexFunc(s.Axes, func(a Axis) bool { return a.Name == name })
}

// Len returns the number of cells.
func (g *Grid) Len() int { return g.offsets[len(g.offsets)-1] }

// Cell returns cell i.
func (g *Grid) Cell(i int) Cell {
	k := 0
	for g.offsets[k+1] <= i {
		k++
	}
	s := &g.File.Scenarios[k]
	c := Cell{Number: i, Scenario: s, At: make([]int, len(s.Axes))}
	rest := i - g.offsets[k]
	for j := len(s.Axes) - 1; j >= 0; j-- {
		n := len(s.Axes[j].Values)
		c.At[j], rest = rest%n, rest/n
	}
	return c
}

// Values returns the coordinates of the cell, by axis.
func (c Cell) Values() []string {
	list := make([]string, len(c.At))
	for j, k := range c.At {
		list[j] = c.Scenario.Axes[j].Values[k]
	}
	return list
}

// String returns the coordinates of the cell: interval=50ms, demand=500/s.
func (c Cell) String() string {
	parts := make([]string, len(c.At))
	for j, text := range c.Values() {
		parts[j] = Clip(c.Scenario.Axes[j].Name) + "=" + Clip(text)
	}
	return strings.Join(parts, ", ")
}

// Catalog returns the catalog that the file was loaded with.
func (g *Grid) Catalog() catalog.Catalog { return g.loader.catalog }
