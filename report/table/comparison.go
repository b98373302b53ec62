package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Comparison returns the table of a part of a document that holds one scenario. It has a
// row for each algorithm, the reference first, and a column for each named metric with a
// figure. Without columns it shows those of ColumnsFor. Units come from the registry. Its
// notes are what changes how a figure is read: the sentence, what ± is, what faults
// touched, expectations that do not hold, and the warnings of the scenario. More has how a
// run against a real limiter went, the worst replication, the reasons of -, and the
// expectations that hold.
func Comparison(part *results.Document, columns []string, registry []catalog.Metric, verdicts Verdicts) Table {
	s := part.Scenarios[0]
	rows := part.Rows(s.Name)
	registry = InUnitsOf(s.LimitUnit(rows), rows, registry)
	columns, leftOut := columnsOr(columns, s, rows)
	t := Table{Title: s.Name, Lead: s.About, Columns: []Column{{Header: "algorithm"}}, Fewer: fewerColumns}
	if limit := s.LimitText(); limit != "" {
		t.Title += ": " + limit
	}
	if verdict := liveVerdict(rows); verdict != "" {
		t.Lead = strings.TrimSuffix(verdict+". "+s.About, " ")
	}
	t.Columns = append(t.Columns, heads(columns, registry)...)
	labels := results.Labels(rows)
	for i, r := range rows {
		if r.Reference {
			t.Apart = i + 1
		}
		t.Rows = append(t.Rows, append([]string{labels[i]}, cells(r, columns)...))
	}
	t.withoutNames()
	if text := Sentence(rows, columns, s.LimitUnit(rows)); text != "" {
		t.Notes = append(t.Notes, text)
	}
	t.Notes = slices.Concat(t.Notes, jobNotes(s, rows), goodputNotes(s, rows), rowNotes(s, rows, columns, registry), differenceNotes(rows), unsharedNotes(part), faultNotes(s, rows, labels), verdicts.Open)
	if len(verdicts.Held) > 0 {
		t.Notes = append(t.Notes, "expectations that hold: "+verdicts.Text())
	}
	t.More = slices.Concat(liveDetails(rows), WorstNote(part, registry), noDataNotes(rows, labels, columns, leftOut, registry), verdicts.Held)
	switch {
	case part.Partial && part.IsLive():
		t.Notes = append(t.Notes, "partial: the run was stopped before its end")
	case part.Partial && len(rows) == 0:
		t.Columns, t.Notes = nil, append(t.Notes, "partial: the run was interrupted before a row was finished")
	case part.Partial:
		t.Notes = append(t.Notes, "partial: the run was interrupted, rows may be missing or have fewer replications")
	}
	t.Notes = append(t.Notes, lists.Map(s.Warnings, func(w string) string { return "warning: " + w })...)
	return t
}

// columnsOr returns the columns that the user asked for, otherwise those of the
// scenario, and the columns that are left out.
func columnsOr(asked []string, s results.Scenario, rows []results.Result) (shown, leftOut []string) {
	if len(asked) > 0 {
		return withFigures(rows, asked)
	}
	return ColumnsFor(s, rows)
}

// Notes returns notes that explain ± and - in a comparison of these columns, and name the
// columns left out, the rows whose halves differ, the deterministic rows, the references of
// rows that have one of their own, and what faults touched.
func Notes(s results.Scenario, rows []results.Result, columns, leftOut []string, registry []catalog.Metric) []string {
	labels := results.Labels(rows)
	return slices.Concat(rowNotes(s, rows, columns, registry), liveDetails(rows), differenceNotes(rows), faultNotes(s, rows, labels), noDataNotes(rows, labels, columns, leftOut, registry))
}

// rowNotes returns the notes on what the rows are.
func rowNotes(s results.Scenario, rows []results.Result, columns []string, registry []catalog.Metric) []string {
	labels := results.Labels(rows)
	return slices.Concat(liveNotes(rows, columns, registry), halfNotes(s, rows, labels, registry), rolloutNotes(rows, labels), referenceNotes(rows, labels), cautionNotes(rows, labels, columns),
		intervalNotes(s, rows, labels, columns, registry))
}

// rolloutNotes returns a note that states which rows are in which rollout.
func rolloutNotes(rows []results.Result, labels []string) []string {
	var in groups.Groups[string, string]
	for i, r := range rows {
		if r.Rollout != "" {
			in.Add(r.Rollout, labels[i])
		}
	}
	if len(in.Keys) == 0 {
		return nil
	}
	return []string{"in a rollout: " + strings.Join(named(in), "; ")}
}

// referenceNotes returns a note for each reference that delays requests: its bound
// on waiting, and the rows that are compared with it.
func referenceNotes(rows []results.Result, labels []string) (notes []string) {
	for i, r := range rows {
		if !r.Reference || r.Waiting == "" {
			continue
		}
		var with []string
		for k, other := range rows {
			if other.ComparedWith == r.Algorithm {
				with = append(with, labels[k])
			}
		}
		if len(with) > 0 {
			notes = append(notes, fmt.Sprintf("%s (exact, first in first out, %s) is the reference of %s", labels[i], r.Waiting, strings.Join(with, ", ")))
		}
	}
	return notes
}

// unsharedNotes returns a note for each list of tenants that fairness leaves out
// because their fair share is 0, with the algorithms that have it.
func unsharedNotes(part *results.Document) []string {
	var rows groups.Groups[string, string]
	for _, s := range part.Shares {
		if s.Unshared == 0 {
			continue
		}
		list := strings.Join(s.UnsharedTenants, ", ")
		if more := s.Unshared - len(s.UnsharedTenants); more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		rows.Add(list, s.Algorithm)
	}
	return lists.Map(rows.Keys, func(list string) string {
		return fmt.Sprintf("fairness of %s leaves out tenants whose fair share is 0: %s", strings.Join(rows.Of[list], ", "), list)
	})
}

// noDataNotes returns notes that explain each -, with one note for all cells
// with the same reason, and a note that names the columns left out.
func noDataNotes(rows []results.Result, labels, columns, leftOut []string, registry []catalog.Metric) (notes []string) {
	type cause struct{ column, reason string }
	var missing groups.Groups[cause, string]
	for _, name := range columns {
		head := ColumnOf(name, registry).Label()
		for i, r := range rows {
			if s := r.Summary(name); s.Mean == nil {
				missing.Add(cause{head, s.Reason}, labels[i])
			}
		}
	}
	// Columns that lack the same rows for the same reason share a note.
	for i, c := range missing.Keys {
		if missing.Of[c] == nil {
			continue
		}
		names := []string{c.column}
		for _, other := range missing.Keys[i+1:] {
			if other.reason == c.reason && slices.Equal(missing.Of[other], missing.Of[c]) {
				names = append(names, other.column)
				missing.Of[other] = nil
			}
		}
		notes = append(notes, fmt.Sprintf("no data (-) for %s of %s: %s", strings.Join(names, ", "), subset(missing.Of[c], labels), c.reason))
	}
	if len(leftOut) > 0 {
		notes = append(notes, "left out, no data in any row: "+reasonsOf(rows, leftOut, registry))
	}
	return notes
}

// reasonsOf names metrics that no row has a figure of, those with the same
// reasons together.
func reasonsOf(rows []results.Result, metrics []string, registry []catalog.Metric) string {
	var heads groups.Groups[string, string]
	for _, name := range metrics {
		var reasons []string
		for _, r := range rows {
			why := r.Summary(name).Reason
			if _, measured := r.Metrics[name]; measured && !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
		}
		heads.Add(cmp.Or(strings.Join(reasons, "; "), "not measured"), ColumnOf(name, registry).Label())
	}
	return strings.Join(named(heads), ", ")
}

// named writes each group as its names with their text in brackets.
func named(g groups.Groups[string, string]) []string {
	return lists.Map(g.Keys, func(text string) string { return fmt.Sprintf("%s (%s)", strings.Join(g.Of[text], ", "), text) })
}

// subset names some of all rows, or writes "all rows". Rows of several cells that have one
// name are named once, with their number unless it is all of them.
func subset(some, all []string) string {
	if len(some) == len(all) {
		return "all rows"
	}
	rows := groups.Groups[string, string]{}
	for _, name := range some {
		rows.Add(name, name)
	}
	return strings.Join(lists.Map(rows.Keys, func(name string) string {
		if n, of := len(rows.Of[name]), lists.Where(all, func(other string) bool { return other == name }); n < len(of) {
			return fmt.Sprintf("%s (%d of %d rows)", name, n, len(of))
		}
		return name
	}), ", ")
}
