package verdicts

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
)

// MaxSummary is the largest job summary of one step that GitHub keeps, in bytes.
// It drops a longer one entirely.
const MaxSummary = 1 << 20

// WriteSummary writes the verdicts as Markdown of at most limit bytes: the
// outcome, then a row for each check, starting with those that keep the gate
// from passing. It omits rows that do not fit and counts them on the last line.
// If the outcome alone exceeds the limit, it returns an error and writes
// nothing.
func WriteSummary(w io.Writer, v gate.Verdicts, limit int) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "### limitgauge gate: %s\n\n%s\n", v.Outcome(), v.Summary())
	if v.Stamp.Rerun != "" && len(v.Stamp.Rerun) < 1000 {
		fmt.Fprintf(&out, "\nRerun with %s\n", codeSpan(format.Clean(v.Stamp.Rerun)))
	}
	rows := summaryRows(v)
	table := summaryHead + strings.Join(rows, "")
	if out.Len()+len(table) > limit {
		table = cutTable(rows, limit-out.Len())
	}
	if out.Len()+len(table) > limit {
		return fmt.Errorf("a job summary does not fit into %d bytes", limit)
	}
	out.WriteString(table)
	_, err := w.Write(out.Bytes())
	return err
}

const summaryHead = "\n| verdict | scenario | check | evidence | stated at |\n| --- | --- | --- | --- | --- |\n"

// cutTable returns the table with as many rows as fit into room bytes, together
// with the line that counts the others.
func cutTable(rows []string, room int) string {
	room -= len(leftOut(len(rows), len(rows)))
	size, written := len(summaryHead), 0
	for written < len(rows) && size+len(rows[written]) <= room {
		size += len(rows[written])
		written++
	}
	return summaryHead + strings.Join(rows[:written], "") + leftOut(len(rows)-written, len(rows))
}

// leftOut returns the line that counts the omitted rows.
func leftOut(n, of int) string {
	return fmt.Sprintf("\n**Cut here: %d of %d checks are left out, because GitHub keeps no longer summary.** Other formats have all of them.\n", n, of)
}

// summaryRows returns a row for each check.
func summaryRows(v gate.Verdicts) []string {
	list := v.Open()
	blocking := len(list)
	list = append(list, lists.Where(v.All(), func(one gate.Verdict) bool { return one.Status.Holds() || one.Excused() })...)
	rows := make([]string, len(list))
	for i, one := range list {
		cells := lists.Map([]string{one.StatusText(), one.Scenario, one.Check(), one.Evidence(), one.Position()}, format.Markdown)
		if i < blocking {
			cells[0] = "**" + cells[0] + "**"
		}
		rows[i] = "| " + strings.Join(cells, " | ") + " |\n"
	}
	return rows
}

// codeSpan returns text as a code span, with a fence longer than any backquotes
// in it.
func codeSpan(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence != "`" {
		s = " " + s + " "
	}
	return fence + s + fence
}
