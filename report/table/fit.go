package table

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Widths in columns of a terminal. Names are not shortened below shortestName, nor
// headers broken below shortestHeader.
const (
	shortestName   = 12
	shortestHeader = 7
)

// leadingColumns counts the columns that keep their intervals: the names and the
// four headline metrics.
const leadingColumns = 5

// grid is a table by columns, with the widths that it needs.
type grid []*gridColumn

type gridColumn struct {
	label       string
	header      []string // label in lines
	right       bool
	names       bool     // the row, although it is right-aligned
	joined      bool     // to the column before it
	full, cells []string // whole texts, and what is left of them
	cell, width int      // widths of the widest cell, and with the header
}

// newGrid returns the grid of a table whose texts are made safe by clean.
func newGrid(t Table, clean func(string) string) grid {
	g := make(grid, len(t.Columns))
	for j, c := range t.Columns {
		g[j] = &gridColumn{label: clean(c.Label()), right: c.Right, names: c.Names, joined: c.Joined}
		g[j].header = []string{g[j].label}
		g[j].full = lists.Map(t.Rows, func(row []string) string { return clean(row[j]) })
		g[j].cells = slices.Clone(g[j].full)
		g[j].measure()
	}
	return g
}

// fit lays out the table within limit columns of a terminal. It returns the
// parts, which share the first column, and the notes. It adds a note for each
// omission.
func fit(t Table, limit int) (parts []grid, notes []string) {
	g := newGrid(t, format.Clean)
	g.breakHeaders(limit)
	var legend []string
	dropped := g.dropSpreads(limit, leadingColumns)
	g, same := g.dropConstants(limit, leadingColumns)
	if g.width() > limit { // in parts, nothing needs to be left out
		g, dropped, same = newGrid(t, format.Clean), nil, nil
		g.breakHeaders(limit)
		if !g.repeats(limit) {
			legend = g.shortenNames(limit, limit/2)
		}
	}
	parts = g.fold(limit)
	for _, part := range parts {
		legend = append(legend, part.shortenNames(limit, shortestName)...)
	}
	notes = slices.Clone(t.Notes)
	if len(dropped) > 0 {
		// A column that lost its ± to the width is not one whose figures are equal.
		if i := slices.IndexFunc(notes, func(n string) bool { return strings.HasPrefix(n, noSpread) }); i >= 0 {
			notes[i] = "in columns that keep their intervals " + notes[i]
		}
		notes = append(notes, "left out here for width: the intervals of "+strings.Join(dropped, ", "))
	}
	for _, c := range same {
		notes = append(notes, fmt.Sprintf("left out here for width: %s, %s in all rows", c.label, c.full[0]))
	}
	if t.Fewer != "" && len(parts)+len(same) > 1 {
		notes = append(notes, t.Fewer)
	}
	slices.Sort(legend)
	return parts, append(notes, slices.Compact(legend)...)
}

// measure updates the widths of a column.
func (c *gridColumn) measure() {
	c.cell, c.width = 0, 0
	for _, text := range c.cells {
		c.cell = max(c.cell, format.Width(text))
	}
	for _, line := range c.header {
		c.width = max(c.width, format.Width(line))
	}
	c.width = max(c.width, c.cell)
}

func (g grid) width() int {
	total := -columnGap
	for _, c := range g {
		total += columnGap + c.width
	}
	return total
}

// breakHeaders gives headers two lines, then more, until the table fits.
// Headers are aligned at the bottom, so that units are directly above the
// values.
func (g grid) breakHeaders(limit int) {
	tallest := 1
	for _, c := range g {
		c.header = []string{c.label}
		c.measure()
	}
	for lines := 2; lines <= 4 && g.width() > limit; lines++ {
		tallest = 1
		for _, c := range g {
			least := max(c.cell, shortestHeader)
			// The least additional width with few enough lines.
			more := sort.Search(max(0, format.Width(c.label)-least), func(more int) bool { return len(words(c.label, least+more)) <= lines })
			c.header = []string{c.label}
			if least+more < format.Width(c.label) {
				c.header = words(c.label, least+more)
			}
			tallest = max(tallest, len(c.header))
			c.measure()
		}
	}
	for _, c := range g {
		c.header = append(make([]string, tallest-len(c.header)), c.header...)
	}
}

// dropSpreads removes ± from columns until the table fits, from the last column back to
// first. Narrower columns need other headers. It returns the labels of the columns that it
// changed.
func (g grid) dropSpreads(limit, first int) (dropped []string) {
	for j := len(g) - 1; j >= first && g.width() > limit; j-- {
		c, found := g[j], false
		for i, text := range c.cells {
			if mean, _, ok := strings.Cut(text, format.SpreadMark); ok && c.right {
				c.cells[i], found = mean, true
			}
		}
		if found {
			dropped = append(dropped, c.label)
			c.measure()
			g.breakHeaders(limit)
		}
	}
	slices.Reverse(dropped)
	return dropped
}

// dropConstants removes columns with the same figure in all rows until the table
// fits, from the last column back to first. It returns the rest and what it
// removed.
func (g grid) dropConstants(limit, first int) (rest, dropped grid) {
	for j := len(g) - 1; j >= first && g.width() > limit; j-- {
		if c := g[j]; c.right && len(c.full) > 1 && len(slices.Compact(slices.Clone(c.full))) == 1 {
			dropped = append(dropped, c)
			g = slices.Delete(g, j, j+1)
			g.breakHeaders(limit)
		}
	}
	return g, dropped
}

// shortenNames removes the middle of cells in left-aligned columns, the widest
// column first, until the table fits or the column has its least width. It
// returns notes with the full names.
func (g grid) shortenNames(limit, least int) (notes []string) {
	full := map[string]string{} // short name to the name it stands for
	for g.width() > limit {
		widest := &gridColumn{cell: least}
		for _, c := range g {
			if !c.right && c.cell > widest.cell {
				widest = c
			}
		}
		if widest.cell == least {
			break
		}
		size := max(least, widest.cell-(g.width()-limit))
		for i, name := range widest.full {
			if format.Width(name) <= size {
				continue
			}
			short := format.Shorten(name, size)
			for n := 2; full[short] != "" && full[short] != name; n++ {
				mark := fmt.Sprintf("~%d", n)
				short = format.Shorten(name, size-len(mark)) + mark
			}
			if full[short] == "" {
				full[short] = name
				notes = append(notes, short+" = "+name)
			}
			widest.cells[i] = short
		}
		widest.measure()
	}
	return notes
}

// alone returns a part of a grid with headers of its own: it has more room than
// the whole.
func (g grid) alone(limit int) grid {
	part := make(grid, len(g))
	for j, c := range g {
		column := *c
		part[j] = &column
	}
	part.breakHeaders(limit)
	return part
}

// labels counts the columns at the left that name a row. All parts of a table repeat them, or
// the first one if no other column fits beside all and they take more than half of the width.
func (g grid) labels(limit int) int {
	n := g.keys()
	if g.repeats(limit) || g[:n].width() <= limit/2 {
		return n
	}
	return 1
}

// keys counts the columns before the first figure, at least 1.
func (g grid) keys() int {
	return max(1, slices.IndexFunc(g, func(c *gridColumn) bool { return c.right && !c.names }))
}

// repeats reports whether any column, with those joined to it, fits beside all keys.
func (g grid) repeats(limit int) bool {
	n := g.keys()
	for next := n; next < len(g); next += len(g.group(next)) {
		if g[:n].width()+columnGap+g.group(next).width() > limit {
			return false
		}
	}
	return true
}

// fold splits a table that is still too wide into parts. Each has the labels of
// the rows and as many of the other columns as fit. Joined columns stay beside the column
// before them if they fit into a part together.
func (g grid) fold(limit int) (parts []grid) {
	if g.width() <= limit || len(g) < 3 {
		return []grid{g}
	}
	labels := g.labels(limit)
	for next := labels; next < len(g); {
		part := g[:labels:labels]
		for next < len(g) {
			group := g.group(next)
			fits := append(slices.Clone(part), group...).width() <= limit
			if !fits && len(part) == labels {
				group, fits = group[:1], true // too wide even alone: column by column
				for len(group) < len(g)-next && g[next+len(group)].joined && append(slices.Clone(part), g[next:next+len(group)+1]...).width() <= limit {
					group = g[next : next+len(group)+1]
				}
			}
			if !fits {
				break
			}
			part = append(part, group...)
			next += len(group)
		}
		parts = append(parts, part.alone(limit))
	}
	return parts
}

// group returns column first with the columns joined to it.
func (g grid) group(first int) grid {
	end := first + 1
	for end < len(g) && g[end].joined {
		end++
	}
	return g[first:end]
}
