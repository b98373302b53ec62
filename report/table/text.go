package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// TextWidth is the longest line that Text writes, in columns of a terminal.
// LeastWidth is the least that TextIn accepts.
const (
	TextWidth  = 100
	LeastWidth = 40
)

// columnGap is the space between two columns.
const columnGap = 2

// Text writes the table as TextIn does, at most TextWidth wide.
func Text(w io.Writer, t Table) error { return TextIn(TextWidth)(w, t) }

// TextIn returns a function that writes a table as plain text in width columns:
// title, header, a rule, rows, then the notes. If the table is too wide, it does
// the following until it fits: break headers into several lines, drop ± from the
// columns after the headline metrics, and leave out columns with the same figure
// in all rows. If that does not suffice, it splits the table into parts below
// one another, with every ± and every column. Only then does it remove the
// middle of names that are longer than half the width; a note has the full name.
func TextIn(width int) func(w io.Writer, t Table) error {
	width = max(width, LeastWidth)
	return func(w io.Writer, t Table) error { return text(w, t, width) }
}

func text(w io.Writer, t Table, width int) error {
	var out bytes.Buffer
	prose := func(text, indent string) {
		for _, line := range wrap(format.Clean(text), width, indent) {
			out.WriteString(line + "\n")
		}
	}
	for _, line := range []string{t.Title, t.Lead} {
		if line != "" {
			prose(line, "")
		}
	}
	if out.Len() > 0 && len(t.Columns) > 0 {
		fmt.Fprintln(&out)
	}
	parts, notes := fit(t, width)
	for i, part := range parts {
		if i > 0 {
			fmt.Fprintln(&out)
		}
		if err := drawText(&out, part); err != nil {
			return fmt.Errorf("draw table: %w", err)
		}
	}
	if len(notes) > 0 && len(t.Columns) > 0 {
		fmt.Fprintln(&out)
	}
	for _, note := range notes {
		prose(note, "  ")
	}
	_, err := w.Write(out.Bytes())
	return err
}

func drawText(w *bytes.Buffer, g grid) error {
	if len(g) == 0 {
		return nil
	}
	header, align, rows := make([]string, len(g)), make([]tw.Align, len(g)), make([][]string, len(g[0].cells))
	for j, c := range g {
		header[j], align[j] = strings.Join(c.header, "\n"), tw.AlignLeft
		if c.right {
			align[j] = tw.AlignRight
		}
		for i, text := range c.cells {
			rows[i] = append(rows[i], text)
		}
	}
	padding := tw.Padding{Right: strings.Repeat(" ", columnGap), Overwrite: true}
	symbols := tw.NewSymbolCustom("rule").WithRow("─").WithColumn("").WithCenter("─").
		WithMidLeft("").WithMidRight("")
	var drawn bytes.Buffer
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: symbols,
			Settings: tw.Settings{
				Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On, ShowFooterLine: tw.Off},
				Separators: tw.SeparatorsNone,
			},
		})),
		tablewriter.WithEastAsian(tw.Off), // else the locale decides how wide ± is
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithPadding(padding),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	table.Header(header)
	if err := table.Bulk(rows); err != nil {
		return err
	}
	if err := table.Render(); err != nil {
		return err
	}
	limit := g.width() // the rule also covers the gap after the last column
	for line := range strings.Lines(drawn.String()) {
		fmt.Fprintln(w, strings.TrimRight(format.Cut(strings.TrimSuffix(line, "\n"), limit), " "))
	}
	return nil
}

// OfTest returns the comparison of a part of a document that holds one scenario as
// plain text, for the message of a test: without hints at flags of a command.
func OfTest(part *results.Document, registry []catalog.Metric) string {
	t := Comparison(part, nil, registry, Verdicts{}).Full()
	t.Fewer = ""
	var out strings.Builder
	Text(&out, t) // a Builder returns no error
	return out.String()
}
