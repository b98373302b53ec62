package table

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// mostSweepRows limits the rows of a table of a sweep.
const mostSweepRows = 200

// SweepMetrics returns the metrics that tables and figures of a sweep show: the
// asked ones, or those of the scenarios' columns and expectations beside the headline metrics
// and the calls to servers, beside those of workers, or beside goodput where backends have a
// deadline.
func SweepMetrics(asked []string, scenarios []results.Scenario) []string {
	all := asked
	switch {
	case len(asked) > 0:
	case slices.ContainsFunc(scenarios, func(s results.Scenario) bool { return s.Workers > 0 }):
		all = slices.Clone(ofWorkers)
	case slices.ContainsFunc(scenarios, func(s results.Scenario) bool { return s.BestFixed != nil }):
		all = slices.Clone(ofDeadline)
	default:
		all = append(catalog.Headline(), "server_calls_per_s")
	}
	for _, s := range scenarios {
		if len(asked) == 0 {
			all = append(all, s.Columns...)
		}
		all = append(all, expected(s)...)
	}
	return lists.Distinct(all)
}

// expected returns the metrics that a scenario's expectations are about.
func expected(s results.Scenario) []string {
	return lists.Map(s.Expectations, func(e results.Expectation) string { return e.Metric })
}

// Sweep returns a table for each scenario of a sweep: a row for each cell and
// algorithm. promise says whether an algorithm of a cell keeps its expectations, "" if
// it has none.
func Sweep(sw *results.Sweep, columns []string, registry []catalog.Metric, promise func(c results.Cell, algorithm string) string) (tables []Table) {
	for _, s := range sw.Head.Sweep {
		cells := sw.Of(s.Name)
		if len(cells) > 0 {
			tables = append(tables, sweepTable(s, cells, columns, registry, promise))
		}
	}
	if sw.Partial && len(tables) > 0 {
		last := &tables[len(tables)-1]
		last.Notes = append(last.Notes, fmt.Sprintf("partial: %d of %d cells", len(sw.Cells), sw.Head.Cells()))
	}
	return tables
}

func sweepTable(s results.SweepScenario, of []results.Cell, columns []string, registry []catalog.Metric, promise func(c results.Cell, algorithm string) string) Table {
	all := slices.Concat(lists.Map(of, func(c results.Cell) []results.Result { return c.Document.Results })...)
	first := of[0].Document.Scenarios[0]
	shown := columns
	if len(shown) == 0 {
		shown = SweepMetrics(nil, []results.Scenario{first})
	}
	limited := lists.Where(all, results.Result.Compared)
	shown, leftOut := withFigures(limited, shown)
	registry = InUnitsOf(first.LimitUnit(all), all, registry)
	t := Table{Title: s.Name, Lead: first.About, Fewer: fewerColumns}
	t.Columns = lists.Map(s.Axes, func(a results.Axis) Column { return Column{Header: a.Name, Right: len(a.Numbers) > 0, Names: true} })
	t.Columns = append(append(t.Columns, Column{Header: "algorithm"}), heads(shown, registry)...)
	kept := false
	var rows [][]string
	for _, c := range of {
		for _, r := range c.Document.Rows(s.Name) {
			if !r.Compared() {
				continue
			}
			text, figures := promise(c, r.Algorithm), cells(r, shown)
			kept = kept || text != ""
			rows = append(rows, slices.Concat(c.At, []string{r.Algorithm}, figures, []string{text}))
		}
	}
	if kept {
		t.Columns = append(t.Columns, Column{Header: "promise"})
	} else {
		for i := range rows {
			rows[i] = rows[i][:len(rows[i])-1]
		}
	}
	if left := len(rows) - mostSweepRows; left > 0 {
		rows = rows[:mostSweepRows]
		t.Notes = append(t.Notes, fmt.Sprintf("%d more %s: --format csv has all", left, format.Plural(left, "row")))
	}
	t.Rows = rows
	switch random := lists.Where(limited, func(r results.Result) bool { return !r.Exact }); {
	case slices.ContainsFunc(random, func(r results.Result) bool { return r.Replications > 1 }):
		t.Notes = append(t.Notes, "±: how far the 95 % interval over replications reaches, at most; all cells have the same traffic, as far as their settings allow")
	case len(random) > 0:
		t.Notes = append(t.Notes, "one random run of each cell, no interval; all cells have the same traffic, as far as their settings allow")
	}
	if len(of) == s.Cells() {
		at := lists.Map(of, func(c results.Cell) []string { return c.At })
		for _, name := range results.Unmoved(s.Axes, at, lists.Map(of, func(c results.Cell) [sha256.Size]byte { return c.Sum })) {
			t.Notes = append(t.Notes, name+" changes nothing: cells that differ by it alone have equal figures, all of them")
		}
	}
	labels := lists.Map(limited, func(r results.Result) string { return r.Algorithm })
	t.Notes = append(t.Notes, noDataNotes(limited, labels, shown, leftOut, registry)...)
	if kept {
		t.Notes = append(t.Notes, "promise: the thresholds under expect, at the unfavourable bound of the interval")
	}
	return t
}

// SweepCSV writes a sweep as tidy CSV: a line for each cell, row and metric, with a
// column for each axis. An axis whose values have a unit also has a column of numbers,
// named after the unit.
type SweepCSV struct {
	out      *csv.Writer
	head     results.SweepHead
	names    []string          // of all axes, in order
	numbers  map[string]string // axis by name of its column of numbers
	order    []string          // of numbers
	columns  []string
	registry []catalog.Metric
}

// numberSuffixes name the columns of numbers by unit.
var numberSuffixes = map[string]string{"s": "_s", "per s": "_per_s", "%": "_pct", "bytes": "_bytes"}

// NewSweepCSV writes the head line.
func NewSweepCSV(w io.Writer, head results.SweepHead, columns []string, registry []catalog.Metric) *SweepCSV {
	c := &SweepCSV{out: csv.NewWriter(w), head: head, columns: columns, registry: registry, numbers: map[string]string{}}
	axes := slices.Concat(lists.Map(head.Sweep, func(s results.SweepScenario) []results.Axis { return s.Axes })...)
	c.names = lists.Distinct(lists.Map(axes, func(a results.Axis) string { return a.Name }))
	for _, a := range axes {
		name := a.Name + numberSuffixes[a.Unit]
		if c.numbers[name] == "" && !slices.Contains(c.names, name) {
			c.numbers[name] = a.Name
			c.order = append(c.order, name)
		}
	}
	c.out.Write(slices.Concat([]string{"cell", "scenario"}, c.names, c.order, csvColumns))
	return c
}

// Write writes the lines of a cell.
func (c *SweepCSV) Write(cell results.Cell) error {
	s, at := c.head.At(cell.Number)
	values, numbers := map[string]string{}, map[string]string{}
	for i, a := range s.Axes {
		values[a.Name] = at[i]
		if len(a.Numbers) > 0 {
			x := a.Numbers[slices.Index(a.Values, at[i])]
			numbers[a.Name+numberSuffixes[a.Unit]] = format.Precise(&x)
		}
	}
	axes := append(
		lists.Map(c.names, func(name string) string { return values[name] }),
		lists.Map(c.order, func(name string) string { return numbers[name] })...)
	csvLines(cell.Document, c.columns, c.registry, func(scenario string, cells []string) {
		c.out.Write(slices.Concat([]string{strconv.Itoa(cell.Number), scenario}, axes, cells))
	})
	return c.out.Error()
}

// Close writes what is left.
func (c *SweepCSV) Close() error {
	c.out.Flush()
	if err := c.out.Error(); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}
