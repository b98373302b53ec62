package gauge

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// Lines shown before and after the worst instant.
const linesBefore, linesAfter = 9, 3

// run is a line: calls of one key that follow each other and ended alike.
type run struct {
	first, last call
	n, cost     int64
	text        [2]string // by the row, by the reference
	worst       bool
}

// around shows the calls of a key around the call with index i, below a headline.
func (c *calls) around(i int, headline string) []string {
	var runs []run
	at := 0
	for k := range c.list {
		x := c.list[k]
		if x.key != c.list[i].key {
			continue
		}
		text := [2]string{x.outcome(x.goes), x.outcome(x.reference)}
		previous := len(runs) - 1
		if previous < 0 || k == i || runs[previous].worst || runs[previous].text != text {
			runs = append(runs, run{first: x, text: text, worst: k == i})
			previous++
		}
		r := &runs[previous]
		r.last = x
		r.n++
		r.cost += x.cost
		if k == i {
			at = previous
		}
		if previous > at+linesAfter && at > 0 {
			break
		}
	}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "    at\tcalls\tcost\t%s\t%s\n", c.row, c.against)
	if at > linesBefore {
		fmt.Fprintf(w, "    ...\t\t\t\t\n")
	}
	for k := max(0, at-linesBefore); k <= min(at+linesAfter, len(runs)-1); k++ {
		r := &runs[k]
		mark, span := " ", c.at(r.first.at)
		if r.last.at != r.first.at {
			span += " to " + c.at(r.last.at)
		}
		if r.worst {
			mark = ">"
		}
		fmt.Fprintf(w, "  %s %s\t%d\t%d\t%s\t%s\n", mark, span, r.n, r.cost, r.text[0], r.text[1])
	}
	w.Flush() // a Builder returns no error
	if c.cut {
		headline += fmt.Sprintf(" (among the first %d requests)", mostDecisions)
	}
	lines := []string{"  " + headline}
	for line := range strings.SplitSeq(strings.TrimRight(out.String(), "\n"), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// outcome describes what became of a call that went at a time, or waitsAtEnd, or -1.
func (x *call) outcome(goes int64) string {
	switch {
	case goes == waitsAtEnd:
		return "waits"
	case goes < 0:
		return "rejected"
	case goes == x.at:
		return "admitted"
	}
	return "waits " + time.Duration(goes-x.at).String()
}
