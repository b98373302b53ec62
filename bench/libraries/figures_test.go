package libraries

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

const (
	defaultSuite = "../../scenarios.yaml"
	stressFile   = "stress.yaml"
)

// row returns the library as a row of package gauge.
func row(l library) gauge.Row {
	var options []gauge.Option
	if !l.keyed {
		options = append(options, gauge.PerKey())
	}
	if l.door == blocks {
		return gauge.Use(l.name, func(p gauge.Policy) gauge.Waiter { return l.make(p).(gauge.Waiter) }, options...)
	}
	return gauge.Use(l.name, func(p gauge.Policy) gauge.Limiter { return l.make(p).(gauge.Limiter) }, options...)
}

// measured holds the results of a scenario file, one document for each row, so that
// the callers that wait in one row at a time are in memory.
type measured struct {
	rows      []string // in the order of the page
	documents map[string]*results.Document
	waiting   map[string]bool
}

// measure runs the scenarios of a file with each library that has a virtual clock.
// exact names rows of the file that the tables show first.
func measure(t *testing.T, file string, exact ...string) *measured {
	m := &measured{rows: exact, documents: map[string]*results.Document{}, waiting: map[string]bool{}}
	for _, l := range libraries() {
		if l.refusal != "" {
			continue
		}
		doc := resultstest.Decode(t, gauge.Run(t, file, row(l)))
		m.rows = append(m.rows, l.name)
		m.documents[l.name] = doc
		m.waiting[l.name] = l.door == blocks
		for _, name := range exact {
			m.documents[name] = doc
		}
	}
	return m
}

// figure returns a metric of a row, or an empty Summary if it has none.
func (m *measured) figure(scenario, row, metric string) results.Summary {
	for _, r := range m.documents[row].Rows(scenario) {
		if r.Algorithm == row {
			return r.Metrics[metric]
		}
	}
	return results.Summary{}
}

// byScenario returns a table of a metric with a column for each scenario.
func (m *measured) byScenario(metric string, shown func(results.Summary) string, scenarios ...string) string {
	return m.table(m.rows, scenarios, func(row, scenario string) string { return shown(m.figure(scenario, row, metric)) })
}

// headlines returns tables of three metrics in these scenarios.
func (m *measured) headlines(scenarios ...string) string {
	var b strings.Builder
	for _, x := range []struct{ title, metric string }{
		{"Over-limit in % (`over_limit_pct`)", "over_limit_pct"},
		{"Burst excess in requests (`burst_excess`)", "burst_excess"},
		{"Under-admission in % (`under_admission_pct`)", "under_admission_pct"},
	} {
		fmt.Fprintf(&b, "\n%s:\n%s", x.title, m.byScenario(x.metric, cell, scenarios...))
	}
	return b.String()
}

// waits returns a table of the waits of rows whose calls wait.
func (m *measured) waits(scenario string) string {
	var waiting []string
	for _, row := range m.rows {
		if m.waiting[row] {
			waiting = append(waiting, row)
		}
	}
	return m.table(waiting, []string{"wait_mean_ms", "wait_p99_ms", "wait_max_ms"}, func(row, metric string) string { return cell(m.figure(scenario, row, metric)) })
}

func (*measured) table(rows, columns []string, cell func(row, column string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| row | %s |\n| --- |%s\n", strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range columns {
			fmt.Fprintf(&b, " %s |", cell(row, column))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell returns a figure as in the tables of limitgauge.
func cell(s results.Summary) string {
	if s.Mean == nil {
		return "no data"
	}
	return table.Cell(s)
}

// small returns a figure with three digits, however small it is.
func small(s results.Summary) string {
	if s.Mean == nil {
		return "no data"
	}
	return fmt.Sprintf("%.3g", *s.Mean)
}

// stressed returns the figures of the stress scenarios.
func stressed(t *testing.T) string {
	m := measure(t, stressFile, "token-bucket", "fixed-window", "sliding-window-counter")
	return m.headlines("boundary", "idle then burst", "clock edge") +
		"\n### Long runs\n\nLong-run error in % (`long_run_error_pct`): what was admitted over the span, relative to the exact token bucket of the policy.\n" +
		m.byScenario("long_run_error_pct", small, "long run, 3/s", "long run, 7/s", "long run, 1000/min", "long run, 700000/s") +
		"\n### Waiting\n\nScenario *waiting*: Poisson traffic at 90 % of 100/s, burst 20.\n" + m.waits("waiting")
}

// suited returns the figures of the default suite.
func suited(t *testing.T) string {
	m := measure(t, defaultSuite)
	var names []string
	for _, s := range m.documents[m.rows[0]].Scenarios {
		names = append(names, s.Name)
	}
	return m.headlines(names...)
}
