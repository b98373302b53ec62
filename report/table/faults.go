package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/sim/results"
)

// faultNotes returns a note for each fault: what it touched in the rows that it
// can affect.
func faultNotes(s results.Scenario, rows []results.Result, labels []string) (notes []string) {
	for i, f := range s.Faults {
		var names groups.Groups[string, string] // by text
		for j, r := range rows {
			if text, affected := touchedText(r, i); affected {
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

// touchedText writes what a fault touched in a row that it can affect.
func touchedText(r results.Result, fault int) (text string, affected bool) {
	if fault >= len(r.Touched) {
		return "", false
	}
	t := r.Touched[fault]
	switch {
	case t.Min == t.Max:
		text = strconv.FormatInt(t.Max, 10)
	case t.Missed > 0:
		text = fmt.Sprintf("%s (0 in %d of %d replications, up to %d)", format.Number(t.Mean), t.Missed, r.Replications, t.Max)
	default:
		text = fmt.Sprintf("%s (%d to %d)", format.Number(t.Mean), t.Min, t.Max)
	}
	return text, t.Affects || t.Max > 0
}
