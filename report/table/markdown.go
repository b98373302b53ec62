package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Markdown writes the table as a GitHub table under a heading, and its notes as a
// list. Cells keep their full length.
func Markdown(w io.Writer, t Table) error {
	var out bytes.Buffer
	if t.Title != "" {
		fmt.Fprintf(&out, "### %s\n\n", format.Markdown(t.Title))
	}
	if t.Lead != "" {
		fmt.Fprintf(&out, "%s\n\n", format.MarkdownLine(t.Lead))
	}
	g := newGrid(t, format.Markdown)
	writeRow := func(cell func(c *gridColumn) string) {
		for _, c := range g {
			fmt.Fprintf(&out, "| %s ", cell(c))
		}
		fmt.Fprintln(&out, "|")
	}
	if len(g) > 0 {
		for _, c := range g {
			c.width = max(c.width, 3) // what a rule needs
		}
		writeRow(func(c *gridColumn) string { return c.pad(c.label) })
		writeRow((*gridColumn).rule)
		for i := range t.Rows {
			writeRow(func(c *gridColumn) string { return c.pad(c.cells[i]) })
		}
	}
	if len(t.Notes) > 0 {
		fmt.Fprintln(&out)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&out, "- %s\n", format.MarkdownLine(note))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// pad fills a text with spaces to the width of the column.
func (c *gridColumn) pad(text string) string {
	spaces := strings.Repeat(" ", c.width-format.Width(text))
	if c.right {
		return spaces + text
	}
	return text + spaces
}

// rule returns the line between header and cells, which states the alignment.
func (c *gridColumn) rule() string {
	if c.right {
		return strings.Repeat("-", c.width-1) + ":"
	}
	return strings.Repeat("-", c.width)
}
