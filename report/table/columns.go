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

// WorstKey is the metric of the worst key. A column with the key's name follows
// its column.
const WorstKey = "over_limit_pct_worst_key"

// ColumnsFor names the default columns of a comparison of rows. Besides the
// headline metrics, these are only columns with a figure. With several keys, the
// column of the worst key is beside the pooled one. With a guarded backend, its
// columns come last.
func ColumnsFor(rows []results.Result) []string {
	has := func(metric string) bool {
		return slices.ContainsFunc(rows, func(r results.Result) bool { return r.Metrics[metric].Mean != nil })
	}
	headline := catalog.Headline()
	columns := slices.Insert(headline, 1, WorstKey)
	columns = append(columns, DefaultColumns()[len(headline):]...)
	columns = append(columns, "guard_inflight_max", "guard_latency_p99_ms")
	return slices.DeleteFunc(columns, func(metric string) bool { return !has(metric) && !slices.Contains(headline, metric) })
}

// shortHeads maps metrics to heads that are shorter than their names.
var shortHeads = map[string]Column{
	"over_limit_pct":            {Header: "over-limit", Unit: "%"},
	WorstKey:                    {Header: "worst key", Unit: "%"},
	"burst_excess":              {Header: "burst excess", Unit: "req"},
	"over_admission_pct":        {Header: "over-admission", Unit: "%"},
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

// heads returns the columns of these metrics.
func heads(columns []string, registry []catalog.Metric) (list []Column) {
	for _, name := range columns {
		list = append(list, ColumnOf(name, registry))
		if name == WorstKey {
			list = append(list, Column{Header: "worst key"})
		}
	}
	return list
}

// cells writes a row's figures, under heads.
func cells(r results.Result, columns []string) (list []string) {
	for _, name := range columns {
		list = append(list, Cell(r.Summary(name)))
		if name == WorstKey {
			list = append(list, r.WorstKey)
		}
	}
	return list
}
