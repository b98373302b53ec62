package table

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/format"
)

// TestWidth draws a wide table in several widths: it takes the width that it is
// given, splits into parts before a name is cut, repeats all labels in every
// part, and keeps a joined column beside its own.
func TestWidth(t *testing.T) {
	name := "a-limiter-with-a-name-of-38-characters"
	wide := Table{
		Columns: []Column{{Header: "policy"}, {Header: "algorithm"}},
		Rows:    [][]string{{"page", name}, {"page", "other"}},
		Fewer:   "fewer",
	}
	for i := range 9 {
		wide.Columns = append(wide.Columns, Column{Header: fmt.Sprintf("now%d", i), Right: true}, Column{Header: fmt.Sprintf("p%d", i), Right: true, Joined: true})
		for j := range wide.Rows {
			wide.Rows[j] = append(wide.Rows[j], fmt.Sprintf("%d.2345", 1000*i+j), fmt.Sprintf("0.%d", 10*i+j))
		}
	}
	for _, width := range []int{60, TextWidth, 250} {
		var out bytes.Buffer
		if err := TextIn(width)(&out, wide); err != nil {
			t.Fatal(err)
		}
		text, parts := out.String(), 0
		for line := range strings.Lines(text) {
			if w := format.Width(strings.TrimRight(line, "\n")); w > width {
				t.Errorf("width %d: a line is %d wide:\n%s", width, w, line)
			}
			for i := range 9 {
				if strings.Contains(line, fmt.Sprintf("now%d", i)) != strings.Contains(line, fmt.Sprintf("p%d", i)) {
					t.Errorf("width %d: now%d and p%d stand in different parts:\n%s", width, i, i, text)
				}
			}
			if strings.Contains(line, "now") {
				parts++
			}
		}
		if width >= TextWidth && strings.Count(text, name) != parts || width >= TextWidth && strings.Count(text, "page") != 2*parts {
			t.Errorf("width %d: not every part of %d has the whole labels:\n%s", width, parts, text)
		}
		if split := parts > 1; split != (width < 250) || split != strings.Contains(text, "fewer") {
			t.Errorf("width %d: %d parts, and a note only if there are several:\n%s", width, parts, text)
		}
	}
}

// TestPartsRepeatKeys checks that each part of a table has all keys whole, also if they take
// more than half of the width: a part with the first axis alone has equal rows.
func TestPartsRepeatKeys(t *testing.T) {
	grid := Table{
		Columns: []Column{{Header: "interval"}, {Header: "algorithm"}},
		Rows:    [][]string{{"20ms", "a-limiter-with-a-name-of-38-characters"}, {"20ms", "a-limiter-with-a-name-as-long-and-other"}},
	}
	for i := range 9 {
		grid.Columns = append(grid.Columns, Column{Header: fmt.Sprintf("figure%d", i), Right: true})
		for j := range grid.Rows {
			grid.Rows[j] = append(grid.Rows[j], "12.34 ±0.12")
		}
	}
	var out bytes.Buffer
	if err := TextIn(70)(&out, grid); err != nil {
		t.Fatal(err)
	}
	parts := strings.Count(out.String(), "interval")
	for _, row := range grid.Rows {
		if n := strings.Count(out.String(), row[1]); parts < 2 || n != parts {
			t.Errorf("%d of %d parts name %s:\n%s", n, parts, row[1], out.String())
		}
	}
}

// TestNamesAreWholeInMarkdown checks that only the terminal, which has an edge, cuts names.
func TestNamesAreWholeInMarkdown(t *testing.T) {
	name := strings.Repeat("long-name-", 12)
	wide := Table{Columns: []Column{{Header: "algorithm"}}, Rows: [][]string{{name}}}
	for i := range 9 {
		wide.Columns = append(wide.Columns, Column{Header: fmt.Sprintf("figure%d", i), Right: true})
		wide.Rows[0] = append(wide.Rows[0], "1234.5")
	}
	var markdown, text bytes.Buffer
	if err := Markdown(&markdown, wide); err != nil || !strings.Contains(markdown.String(), name) {
		t.Errorf("%v: Markdown cuts a name:\n%s", err, &markdown)
	}
	if err := TextIn(60)(&text, wide); err != nil || strings.Contains(text.String(), name) {
		t.Errorf("%v: a terminal of 60 columns has the whole name:\n%s", err, &text)
	}
	text.Reset()
	var least bytes.Buffer
	if err := errors.Join(TextIn(1)(&text, wide), TextIn(LeastWidth)(&least, wide)); err != nil || text.String() != least.String() {
		t.Errorf("%v: a terminal of one column has\n%s\nand not the text of the least width\n%s", err, &text, &least)
	}
}
