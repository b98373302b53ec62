package table

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// DefaultColumns names the default columns of a comparison.
func DefaultColumns() []string {
	return append(catalog.Headline(), "rejected_pct", "decision_latency_p99_ms", "fairness_tenant_run_min", "server_calls_per_s")
}

// ColumnsFor names the default columns of a comparison of rows. With a guarded
// backend, columns without a figure are replaced by those of the backend.
func ColumnsFor(rows []results.Result) []string {
	has := func(metric string) bool {
		return slices.ContainsFunc(rows, func(r results.Result) bool { return r.Metrics[metric].Mean != nil })
	}
	columns := DefaultColumns()
	if !has("guard_inflight_max") {
		return columns
	}
	shown := len(catalog.Headline())
	rest := slices.DeleteFunc(columns[shown:], func(metric string) bool { return !has(metric) })
	return append(columns[:shown+len(rest)], "guard_inflight_max", "guard_latency_p99_ms")
}

// shortHeads maps metrics to heads that are shorter than their names.
var shortHeads = map[string]Column{
	"over_limit_pct":            {Header: "over-limit", Unit: "%"},
	"burst_excess":              {Header: "burst excess", Unit: "req"},
	"under_admission_pct":       {Header: "under-admission", Unit: "%"},
	"rejected_pct":              {Header: "rejected", Unit: "%"},
	"decision_latency_p99_ms":   {Header: "p99", Unit: "ms"},
	"fairness_tenant_run_min":   {Header: "fairness min"},
	"client_share_max_over_min": {Header: "shares max/min"},
	"client_share_min_pct":      {Header: "least share", Unit: "%"},
	"server_calls_per_s":        {Header: "server calls", Unit: "/s"},
	"guard_inflight_max":        {Header: "backend max in flight"},
	"guard_latency_p99_ms":      {Header: "backend p99", Unit: "ms"},
}

// ColumnOf returns the head of a metric: a short one if there is one, otherwise
// the words of its name and its unit in the registry. The unit is written once:
// it replaces its abbreviation at the end of a name. It is omitted if the name
// contains it.
func ColumnOf(metric string, registry []catalog.Metric) Column {
	if c, ok := shortHeads[metric]; ok {
		c.Right = true
		return c
	}
	head := metric
	unit := UnitOf(metric, registry)
	for _, end := range [][2]string{{"_pct", "%"}, {"_ms", "ms"}, {"_per_s", "/s"}, {"_s", "s"}} {
		if rest, ok := strings.CutSuffix(metric, end[0]); ok {
			head, unit = rest, end[1]
			break
		}
	}
	if rest := strings.Replace(head, "_pct_", "_", 1); rest != head {
		head, unit = rest, "%"
	}
	words := strings.Split(head, "_")
	if unit == "ratio" || unit == "curve" || slices.Contains(words, unit) {
		unit = ""
	}
	return Column{Header: strings.Join(words, " "), Unit: unit, Right: true}
}

// UnitOf returns the unit of a metric in the registry, and "" for an unknown
// metric.
func UnitOf(metric string, registry []catalog.Metric) string {
	if m := catalog.Find(registry, metric); m != nil {
		return m.Unit
	}
	return ""
}

// Cell writes a summary's mean with half of its interval, "29.7 ±0.2". It
// writes "-" if there is no mean.
func Cell(s results.Summary) string { return format.Cell(s.Mean, s.Spread()) }

// cells writes a row's figures.
func cells(r results.Result, columns []string) (list []string) {
	for _, name := range columns {
		list = append(list, Cell(r.Summary(name)))
	}
	return list
}
