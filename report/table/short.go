package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Verdicts are the lines of a scenario's expectations.
type Verdicts struct {
	Open   []string // failed and unevaluated ones; those of one reason may share a line
	Held   []string
	Missed int // expectations in Open
}

// Text says how many of the expectations hold, or "-" if there are none.
func (v Verdicts) Text() string {
	if all := len(v.Held) + v.Missed; all > 0 {
		return fmt.Sprintf("%d of %d", len(v.Held), all)
	}
	return "-"
}

// widestGroup is the most columns of a terminal that the names of one line of Short take.
const widestGroup = 36

// Full returns the table with all that can be said below it.
func (t Table) Full() Table {
	t.Notes, t.More = slices.Concat(t.Notes, t.More), nil
	return t
}

// Short returns the table with one line for rows whose figures are equal, and a note that
// counts what Full adds.
func (t Table) Short() Table {
	t.Rows, t.Fewer = grouped(t.Rows, t.Apart), ""
	if n := len(t.More); n > 0 {
		t.Notes = append(slices.Clip(t.Notes), fmt.Sprintf("%s more: --notes", format.Count(n, "note")))
		t.More = nil
	}
	return t
}

// grouped returns the rows in the order of their first names, those with equal figures
// under their joined names. Rows before first stay alone.
func grouped(rows [][]string, first int) (list [][]string) {
	for i, row := range rows {
		at := slices.IndexFunc(list[min(first, len(list)):], func(other []string) bool {
			return i >= first && slices.Equal(other[1:], row[1:]) && format.Width(other[0])+2+format.Width(row[0]) <= widestGroup
		})
		if at < 0 {
			list = append(list, slices.Clone(row))
			continue
		}
		names := &list[first+at][0]
		*names = strings.Join([]string{*names, row[0]}, ", ")
	}
	return list
}
