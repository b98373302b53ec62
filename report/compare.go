package report

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sideHead is the longest name that heads a column of a comparison; longer
// ones are a and b there, and spelled out in a note.
const sideHead = 14

// Compare sets two documents side by side: a row for each scenario, algorithm
// and metric (Headline where metrics is empty) with both figures and the change
// from a to b. "~" stands where the two intervals overlap, so that the change
// may be chance; "=" where the figures are the same. Rows that only one
// document has are there too. Notes say in what the two runs differ.
func Compare(a, b *results.Document, names [2]string, metrics []string, registry []catalog.Metric) Table {
	if len(metrics) == 0 {
		metrics = Headline()
	}
	heads := names
	if width(names[0]) > sideHead || width(names[1]) > sideHead || names[0] == names[1] {
		heads = [2]string{"a", "b"}
	}
	t := Table{
		Title: "comparison",
		Columns: []Column{
			{Header: "scenario"}, {Header: "algorithm"}, {Header: "figure"},
			{Header: heads[0], Right: true}, {Header: heads[1], Right: true},
			{Header: "change", Right: true}, {Header: "change", Unit: "%", Right: true}, {Header: ""},
		},
	}
	if heads != names {
		t.Notes = append(t.Notes, "a: "+names[0], "b: "+names[1])
	}
	overlaps, only := false, [2]int{}
	previous := pair{}
	for _, p := range pairRows(a, b) {
		for i, metric := range metrics {
			row := []string{p.scenario, p.label, column(metric, registry).Label()}
			if p.scenario == previous.scenario {
				row[0] = ""
			}
			if i > 0 {
				row[1] = ""
			}
			change := changeOf(p, metric)
			overlaps = overlaps || change[4] == "~"
			t.Rows = append(t.Rows, append(row, change[:]...))
			previous = p
		}
		if p.a == nil {
			only[1]++
		}
		if p.b == nil {
			only[0]++
		}
	}
	if overlaps {
		t.Notes = append(t.Notes, "~: the 95 % intervals overlap, the change may be chance")
	}
	for i, n := range only {
		if n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("only in %s: %d of the rows", heads[i], n))
		}
	}
	t.Notes = append(t.Notes, differences(a, b, heads)...)
	return t
}

// pair is one row in both documents; nil where a document does not have it.
type pair struct {
	scenario, label string
	a, b            *results.Result
}

// pairRows lists the rows of a in its order, each with its like in b, then the
// rows that only b has.
func pairRows(a, b *results.Document) (pairs []pair) {
	type key struct {
		scenario, policy, algorithm string
		reference                   bool
	}
	index := map[key]int{}
	for side, doc := range []*results.Document{a, b} {
		for _, s := range doc.Scenarios {
			rows := rowsOf(doc, s.Name)
			labels := rowLabels(rows)
			for i := range rows {
				k := key{s.Name, rows[i].Policy, rows[i].Algorithm, rows[i].Reference}
				at, known := index[k]
				if !known {
					at = len(pairs)
					index[k] = at
					pairs = append(pairs, pair{scenario: s.Name, label: labels[i]})
				}
				if side == 0 {
					pairs[at].a = &rows[i]
				} else {
					pairs[at].b = &rows[i]
				}
			}
		}
	}
	return pairs
}

// changeOf are the cells a, b, change, change in percent, mark.
func changeOf(p pair, metric string) (cells [5]string) {
	var sides [2]results.Summary
	for i, row := range []*results.Result{p.a, p.b} {
		if row == nil {
			cells[i] = "absent"
			continue
		}
		sides[i] = summary(*row, metric)
		cells[i] = cell(sides[i])
	}
	x, y := sides[0], sides[1]
	if x.Mean == nil || y.Mean == nil {
		cells[2], cells[3] = noData, noData
		return cells
	}
	change := *y.Mean - *x.Mean
	cells[2], cells[3] = signed(change), noData
	if *x.Mean != 0 {
		cells[3] = signed(100 * change / math.Abs(*x.Mean))
	}
	switch {
	case change == 0:
		cells[3], cells[4] = "0", "="
	case overlap(x, y):
		cells[4] = "~"
	}
	return cells
}

// overlap reports whether two figures' intervals have a point in common; a
// figure without an interval is a point.
func overlap(x, y results.Summary) bool {
	xlo, xhi := ends(x)
	ylo, yhi := ends(y)
	return xlo <= yhi && ylo <= xhi
}

func ends(s results.Summary) (lo, hi float64) {
	if s.Lo == nil || s.Hi == nil {
		return *s.Mean, *s.Mean
	}
	return *s.Lo, *s.Hi
}

func signed(x float64) string {
	if x > 0 {
		return "+" + figure(x)
	}
	return figure(x)
}

// differences names what about the two runs differs besides their figures.
func differences(a, b *results.Document, heads [2]string) (notes []string) {
	differ := func(what, x, y string) {
		if x != y {
			notes = append(notes, fmt.Sprintf("%s differs: %s in %s, %s in %s", what, x, heads[0], y, heads[1]))
		}
	}
	differ("seed", fmt.Sprint(a.Stamp.Seed), fmt.Sprint(b.Stamp.Seed))
	differ("scenario file", hash(a.Stamp), hash(b.Stamp))
	differ("version", version(a.Stamp), version(b.Stamp))
	for i, doc := range []*results.Document{a, b} {
		if doc.Partial {
			notes = append(notes, heads[i]+" is partial: its run was interrupted")
		}
	}
	return notes
}

func hash(s results.Stamp) string {
	if s.ScenarioSHA256 == "" {
		return "unknown"
	}
	return "sha256 " + cut(s.ScenarioSHA256, 12)
}

func version(s results.Stamp) string {
	text := s.Version
	if s.Commit != "" {
		text += " (" + cut(s.Commit, 12) + ")"
	}
	if text == "" {
		return "unknown"
	}
	return text
}
