package table

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/format"
)

// Markdown writes the table as a GitHub table under a heading, and its notes as a
// list. Cells keep their full length. Pipes in them are escaped.
func Markdown(w io.Writer, t Table) error {
	var out bytes.Buffer
	if t.Title != "" {
		fmt.Fprintf(&out, "### %s\n\n", escapeTags(format.Clean(t.Title)))
	}
	if t.Lead != "" {
		fmt.Fprintf(&out, "%s\n\n", escapeTags(format.Clean(t.Lead)))
	}
	if len(t.Columns) > 0 {
		head := make([]string, len(t.Columns))
		for j, c := range t.Columns {
			head[j] = c.Label()
		}
		lines := make([][]string, 0, len(t.Rows)+1)
		for _, row := range append([][]string{head}, t.Rows...) {
			line := make([]string, len(t.Columns))
			for j := range min(len(row), len(line)) {
				line[j] = escapeTags(escapePipes(format.Clean(row[j])))
			}
			lines = append(lines, line)
		}
		writeMarkdownRows(&out, t.Columns, lines)
	}
	if len(t.Notes) > 0 {
		fmt.Fprintln(&out)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&out, "- %s\n", escapeTags(format.Clean(note)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

func writeMarkdownRows(out *bytes.Buffer, columns []Column, lines [][]string) {
	widths := make([]int, len(columns))
	for j := range columns {
		widths[j] = 3 // what a rule needs
		for _, line := range lines {
			widths[j] = max(widths[j], format.Width(line[j]))
		}
	}
	for i, line := range lines {
		for j, text := range line {
			pad := strings.Repeat(" ", widths[j]-format.Width(text))
			if columns[j].Right {
				fmt.Fprintf(out, "| %s%s ", pad, text)
			} else {
				fmt.Fprintf(out, "| %s%s ", text, pad)
			}
		}
		fmt.Fprintln(out, "|")
		if i > 0 {
			continue
		}
		for j, c := range columns {
			rule := strings.Repeat("-", widths[j])
			if c.Right {
				rule = rule[1:] + ":"
			}
			fmt.Fprintf(out, "| %s ", rule)
		}
		fmt.Fprintln(out, "|")
	}
}

// escapePipes escapes pipes, which would end a cell.
func escapePipes(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(s)
}

// tagStart matches a < that HTML, and therefore Markdown, reads as the start of a
// tag.
var tagStart = regexp.MustCompile(`<([A-Za-z/!?])`)

// escapeTags escapes tags, which Markdown would hide. Comparisons such as "< 2"
// stay as they are.
func escapeTags(s string) string { return tagStart.ReplaceAllString(s, "&lt;$1") }
