package explore

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// difference returns the tables of the changes from a pinned document to another: each
// metric of each algorithm, with the 95 % interval of the change.
func (e *Explorer) difference(base, now *results.Document) (out template.HTML, err error) {
	t, chance := e.changes(base, now)
	if len(t.Rows) == 0 {
		out = template.HTML("<p>" + template.HTMLEscapeString(strings.Join(t.Notes, " ")) + "</p>")
	} else if out, err = html.TablePart(t); err != nil {
		return "", err
	}
	if len(chance.Rows) == 0 {
		return out, nil
	}
	folded, err := html.TablePart(chance)
	return out + template.HTML(fmt.Sprintf("<details><summary>%s that may be chance</summary>%s</details>", format.Count(len(chance.Rows), "difference"), folded)), err
}

// changes returns the table of the changes from one document of a scenario to another, and
// that of the differences whose intervals hold 0.
func (e *Explorer) changes(base, now *results.Document) (t, chance table.Table) {
	t = table.Table{
		Title:   "From A, the pinned setting, to B",
		Columns: []table.Column{{Header: "algorithm"}, {Header: "figure"}, {Header: "A", Right: true}, {Header: "B", Right: true}, {Header: "difference", Right: true}},
	}
	chance.Title, chance.Columns = "Differences whose interval holds 0", t.Columns
	before, after := rowsOf(base), rowsOf(now)
	rows := slices.Concat(base.Results, now.Results)
	registry := table.InUnitsOf(now.Scenarios[0].LimitUnit(rows), rows, e.o.Metrics)
	metrics := metricsOf(base, now)
	paired := inPairs(base, now)
	random, uneven, equal := false, false, 0
	for _, label := range labelsOf(base, now) {
		a, inA := before[label]
		b, inB := after[label]
		for _, metric := range metrics {
			x, y := a.Summary(metric), b.Summary(metric)
			if x.Mean == nil && y.Mean == nil {
				continue
			}
			line := []string{label, table.ColumnOf(metric, registry).Label(), figureText(x, inA), figureText(y, inB), format.NoData}
			if change, err := pairs.Compare(a, b, x, y, paired); err == nil {
				if change.Same {
					equal++
					continue
				}
				line[4] = format.Signed(change.Interval.Mean)
				uneven = uneven || pairs.Uneven(change, x, y)
				half := change.Interval.Half
				if half > 0 && !math.IsInf(half, 1) { // one pair has no interval
					line[4], random = signedWithSpread(change.Interval.Mean, half), true
				}
				if math.Abs(change.Interval.Mean) <= half {
					chance.Rows = append(chance.Rows, line)
					continue
				}
			}
			t.Rows = append(t.Rows, line)
		}
	}
	switch {
	case len(t.Rows) == 0 && len(chance.Rows) == 0:
		t.Notes = append(t.Notes, fmt.Sprintf("All %s are equal in every replication.", format.Count(equal, "figure")))
		return t, chance
	case len(t.Rows) == 0:
		t.Notes = append(t.Notes, "No figure differs by more than may be chance.")
	}
	if equal > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s %s equal in every replication and not listed.", format.Count(equal, "figure"), format.Verb(equal, "is", "are")))
	}
	t.Notes = append(t.Notes, "A difference is B minus A, in the unit of the figure.")
	if uneven {
		t.Notes = append(t.Notes, "A and B have different numbers of replications: a difference is of those that both have, and can be another than the two figures show.")
	}
	if random {
		note := "± is half of the 95 % interval of the difference."
		if paired {
			note += " Both settings have the same traffic, so replications are compared in pairs."
		}
		t.Notes = append(t.Notes, note)
	}
	return t, chance
}

// inPairs reports whether replications of two documents are pairs: they draw from the same
// streams, and the same requests were offered. What else differs, such as the network, is
// what the comparison is about.
func inPairs(base, now *results.Document) bool {
	a, b := base.Scenarios[0], now.Scenarios[0]
	return a.Name == b.Name && a.Seed == b.Seed && pairs.Unpaired(base, now, a.Name) == ""
}

// rowsOf returns the rows of a document of one scenario by their labels.
func rowsOf(d *results.Document) map[string]results.Result {
	rows := map[string]results.Result{}
	for _, r := range d.Rows(d.Scenarios[0].Name) {
		rows[r.Label()] = r
	}
	return rows
}

// labelsOf returns the labels of the rows of documents, in order.
func labelsOf(docs ...*results.Document) (labels []string) {
	for _, d := range docs {
		labels = append(labels, results.Labels(d.Rows(d.Scenarios[0].Name))...)
	}
	return lists.Distinct(labels)
}

// metricsOf returns the metrics that the tables of documents show, in order.
func metricsOf(docs ...*results.Document) (metrics []string) {
	for _, d := range docs {
		shown, _ := table.ColumnsFor(d.Scenarios[0], d.Rows(d.Scenarios[0].Name))
		metrics = append(metrics, shown...)
	}
	return lists.Distinct(metrics)
}

func figureText(s results.Summary, there bool) string {
	if !there {
		return "absent"
	}
	return table.Cell(s)
}

// signedWithSpread writes a difference with half of its interval.
func signedWithSpread(mean, half float64) string {
	text := format.WithSpread(mean, half)
	if mean > 0 {
		text = "+" + text
	}
	return text
}
