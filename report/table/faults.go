package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Faults returns the table of what each fault of a part with one scenario touched:
// a line for each row, a column for each fault. It has no lines without faults.
func Faults(part *results.Document) Table {
	s := part.Scenarios[0]
	rows := part.Rows(s.Name)
	t := Table{Title: s.Name + ": what the faults touched", Columns: []Column{{Header: "algorithm"}}}
	for _, f := range s.Faults {
		t.Columns = append(t.Columns, Column{Header: f.Text, Unit: f.Unit, Right: true})
	}
	for i, label := range results.Labels(rows) {
		cells := []string{label}
		for fault := range s.Faults {
			cells = append(cells, touchedCell(rows[i], fault))
		}
		if len(s.Faults) > 0 {
			t.Rows = append(t.Rows, cells)
		}
	}
	if len(t.Rows) > 0 {
		t.Notes = append(t.Notes, "Mean over replications, with the least and the most if they differ; · is a limiter that the fault cannot affect.")
	}
	return t
}

// faultNotes returns a note for each fault: what it touched in the rows that it
// can affect.
func faultNotes(s results.Scenario, rows []results.Result, labels []string) (notes []string) {
	for i, f := range s.Faults {
		var names groups.Groups[string, string] // by text
		for j, r := range rows {
			if text := touchedCell(r, i); text != notAffected {
				names.Add(text, labels[j])
			}
		}
		var texts []string
		for k, text := range names.Keys {
			unit := ""
			if k == 0 {
				unit = " " + f.Unit
			}
			if k == 0 && text == "1" {
				unit = strings.Replace(strings.TrimSuffix(unit, "s"), "calls and", "call or", 1)
			}
			texts = append(texts, text+unit+" in "+subset(names.Of[text], labels))
		}
		if len(texts) == 0 {
			texts = []string{"nothing, because it affects no row"}
		}
		notes = append(notes, fmt.Sprintf("%s: touched %s", f.Text, strings.Join(texts, ", ")))
	}
	return notes
}

const notAffected = "·"

// touchedCell writes what a fault touched in a row.
func touchedCell(r results.Result, fault int) string {
	if fault >= len(r.Touched) {
		return notAffected
	}
	t := r.Touched[fault]
	switch {
	case !t.Affects && t.Max == 0:
		return notAffected
	case t.Min == t.Max:
		return strconv.FormatInt(t.Max, 10)
	case t.Missed > 0:
		return fmt.Sprintf("%s (0 in %d of %d replications, up to %d)", format.Number(t.Mean), t.Missed, r.Replications, t.Max)
	}
	return fmt.Sprintf("%s (%d to %d)", format.Number(t.Mean), t.Min, t.Max)
}
