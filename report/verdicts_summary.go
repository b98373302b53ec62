package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
)

// MaxSummary is the most that GitHub keeps of one step's job summary, in bytes:
// one byte more and it keeps nothing.
const MaxSummary = 1 << 20

// WriteSummary writes the verdicts as Markdown of at most limit bytes: the
// outcome, then a row for each check, those that keep the gate from passing
// first. Rows that do not fit are left out, and a last line says how many. A
// limit that has no room for the outcome is an error, and nothing is written.
func WriteSummary(w io.Writer, v Verdicts, limit int) error {
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

// cutTable is the table with as many rows as fit into room bytes together with
// the line that says how many do not.
func cutTable(rows []string, room int) string {
	room -= len(leftOut(len(rows), len(rows)))
	size, written := len(summaryHead), 0
	for written < len(rows) && size+len(rows[written]) <= room {
		size += len(rows[written])
		written++
	}
	return summaryHead + strings.Join(rows[:written], "") + leftOut(len(rows)-written, len(rows))
}

// leftOut says that the summary was cut.
func leftOut(n, of int) string {
	return fmt.Sprintf("\n**Cut here: %d of %d checks are left out, because GitHub keeps no longer summary.** Other formats have all of them.\n", n, of)
}

func summaryRows(v Verdicts) []string {
	list := v.open()
	blocking := len(list)
	for _, one := range v.all() {
		if one.Status.Holds() || one.excused() {
			list = append(list, one)
		}
	}
	rows := make([]string, len(list))
	for i, one := range list {
		status := one.Status.String()
		if one.excused() {
			status += " (allowed)"
		}
		cells := []string{status, one.Scenario, one.Check(), one.evidence(), one.position()}
		if one.kind() == "run" {
			cells[3] = one.Reason
		}
		for j, text := range cells {
			cells[j] = escapeMarkdown(format.Clean(text))
		}
		if i < blocking {
			cells[0] = "**" + cells[0] + "**"
		}
		rows[i] = "| " + strings.Join(cells, " | ") + " |\n"
	}
	return rows
}

// escapeMarkdown keeps text from a file from being read as Markdown or HTML.
func escapeMarkdown(s string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`,
		"[", `\[`, "]", `\]`, "!", `\!`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	).Replace(s)
}

// codeSpan sets text as code, whatever backquotes are in it.
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
