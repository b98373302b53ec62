package table

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/limitgauge/limitgauge/format"
)

// Widths in columns of a terminal. Names are shortened to shortName first. If
// dropping intervals does not suffice they are shortened to shortestName. Headers
// are not broken below shortestHeader.
const (
	shortName      = 24
	shortestName   = 12
	shortestHeader = 7
)

// leadingColumns counts the columns that keep their intervals longest: the names
// and the three headline metrics.
const leadingColumns = 4

// grid is a table whose headers may hold newlines.
type grid struct {
	header []string
	right  []bool
	rows   [][]string

	cells, columns []int // widths of the widest cell, and with the header
}

// fit lays out the table within limit columns of a terminal. It returns the
// parts, which share the first column, and the notes. It adds a note for each
// omission.
func fit(t Table, limit int) (parts []grid, notes []string) {
	header, right, rows := make([]string, len(t.Columns)), make([]bool, len(t.Columns)), make([][]string, len(t.Rows))
	for j, c := range t.Columns {
		header[j], right[j] = format.Clean(c.Label()), c.Right
	}
	for i, row := range t.Rows {
		rows[i] = make([]string, len(header))
		for j := range min(len(row), len(header)) {
			rows[i][j] = format.Clean(row[j])
		}
	}
	g := newGrid(header, right, rows)
	notes = slices.Clone(t.Notes)
	if g.width() > limit {
		g.breakHeaders(limit)
	}
	names := g.names()
	legend := g.shortenNames(names, limit, shortName)
	dropped := g.dropSpreads(limit, leadingColumns)
	if g.width() > limit {
		legend = g.shortenNames(names, limit, shortestName)
		dropped = append(g.dropSpreads(limit, 0), dropped...)
	}
	if len(dropped) > 0 {
		labels := make([]string, len(dropped))
		for i, j := range dropped {
			labels[i] = t.Columns[j].Label()
		}
		notes = append(notes, "left out here for width: the intervals of "+strings.Join(labels, ", "))
	}
	return g.fold(limit), append(notes, legend...)
}

// measure updates the widths of a column.
func (g *grid) measure(j int) {
	g.cells[j] = 0
	for _, row := range g.rows {
		g.cells[j] = max(g.cells[j], format.Width(row[j]))
	}
	g.columns[j] = g.cells[j]
	for line := range strings.SplitSeq(g.header[j], "\n") {
		g.columns[j] = max(g.columns[j], format.Width(line))
	}
}

// newGrid measures a grid.
func newGrid(header []string, right []bool, rows [][]string) grid {
	g := grid{header, right, rows, make([]int, len(header)), make([]int, len(header))}
	for j := range header {
		g.measure(j)
	}
	return g
}

func (g *grid) width() int {
	total := 0
	for j := range g.header {
		total += g.columns[j] + columnGap
	}
	return total - columnGap
}

// breakHeaders gives headers two lines, then more, until the table fits.
// Headers are aligned at the bottom, so that units are directly above the
// values.
func (g *grid) breakHeaders(limit int) {
	whole := slices.Clone(g.header)
	for tallest := 2; tallest <= 4 && g.width() > limit; tallest++ {
		for j, h := range whole {
			least := max(g.cells[j], shortestHeader)
			// The least additional width with few enough lines.
			more := sort.Search(max(0, format.Width(h)-least), func(more int) bool { return len(words(h, least+more)) <= tallest })
			g.header[j] = h
			if least+more < format.Width(h) {
				g.header[j] = strings.Join(words(h, least+more), "\n")
			}
			g.measure(j)
		}
		tallest := g.headerLines()
		for j, h := range g.header {
			g.header[j] = strings.Repeat("\n", tallest-1-strings.Count(h, "\n")) + h
		}
	}
}

func (g *grid) headerLines() int {
	most := 1
	for _, h := range g.header {
		most = max(most, 1+strings.Count(h, "\n"))
	}
	return most
}

// dropSpreads removes ± from columns until the table fits, from the last column
// back to first. It returns the columns that it changed.
func (g *grid) dropSpreads(limit, first int) (dropped []int) {
	for j := len(g.header) - 1; j >= first && g.width() > limit; j-- {
		found := false
		for _, row := range g.rows {
			if mean, _, ok := strings.Cut(row[j], format.SpreadMark); ok && g.right[j] {
				row[j], found = mean, true
			}
		}
		if found {
			dropped = append(dropped, j)
			g.measure(j)
		}
	}
	slices.Reverse(dropped)
	return dropped
}

// names copies the cells in full.
func (g *grid) names() [][]string {
	names := make([][]string, len(g.rows))
	for i, row := range g.rows {
		names[i] = slices.Clone(row)
	}
	return names
}

// shortenNames removes the middle of cells in left-aligned columns, the widest
// column first, until the table fits or the column has its least width. It
// returns notes with the full names.
func (g *grid) shortenNames(names [][]string, limit, least int) (notes []string) {
	full := map[string]string{} // short name to the name it stands for
	for g.width() > limit {
		widest := -1
		for j := range g.header {
			if !g.right[j] && g.cells[j] > least && (widest < 0 || g.cells[j] > g.cells[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			break
		}
		size := max(least, g.cells[widest]-(g.width()-limit))
		for i, row := range g.rows {
			name := names[i][widest]
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
			row[widest] = short
		}
		g.measure(widest)
	}
	return notes
}

// fold splits a table that is still too wide into parts. Each has the first
// column and as many of the others as fit.
func (g *grid) fold(limit int) []grid {
	if g.width() <= limit || len(g.header) < 3 {
		return []grid{*g}
	}
	var parts []grid
	for next := 1; next < len(g.header); {
		columns, total := []int{0}, g.columns[0]
		for next < len(g.header) {
			w := columnGap + g.columns[next]
			if total+w > limit && len(columns) > 1 {
				break
			}
			columns, total = append(columns, next), total+w
			next++
		}
		parts = append(parts, g.pick(columns))
	}
	return parts
}

func (g *grid) pick(columns []int) grid {
	var header []string
	var right []bool
	rows := make([][]string, len(g.rows))
	for _, j := range columns {
		header, right = append(header, g.header[j]), append(right, g.right[j])
		for i, row := range g.rows {
			rows[i] = append(rows[i], row[j])
		}
	}
	return newGrid(header, right, rows)
}
