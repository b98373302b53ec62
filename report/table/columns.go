package table

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// DefaultColumns names the default columns of a comparison.
func DefaultColumns() []string { return append(catalog.Headline(), further...) }

// further names the default columns after the headline metrics.
var further = []string{
	"rejected_pct", "decision_latency_p99_ms", "fairness_tenant_run_min", "client_share_max_over_min", "server_calls_per_s",
}

// ofLive names the columns that a row of a real limiter adds.
var ofLive = []string{"long_run_error_pct", "rejected_pct", "decision_latency_p50_ms", "decision_latency_p99_ms", "failed_pct"}

// WorstKey is the metric of the worst key. A column with the key's name follows
// its column.
const WorstKey = "over_limit_pct_worst_key"

// equalKeys is the metric of what the worst key would be by chance, which stands beside it.
const equalKeys = "over_limit_pct_equal_keys"

// ColumnsFor names the columns of a scenario's comparison: the headline metrics,
// those that the scenario's columns and expectations name, and the default ones
// if it has no columns. With several keys, the columns of the worst key and of equal keys
// are beside the pooled one. With a guarded backend, its columns come last. Metrics without
// a figure in any row are left out.
func ColumnsFor(s results.Scenario, rows []results.Result) (shown, leftOut []string) {
	leading, ofRates := Leading(rows)
	columns := slices.Concat(leading, s.Columns, expected(s))
	if ofRates && len(s.Columns) == 0 {
		columns = append(columns, further...)
	}
	if slices.ContainsFunc(rows, func(r results.Result) bool { return r.Live != nil }) {
		columns = append(columns, ofLive...)
	}
	for _, implied := range []struct {
		metric string
		at     int
	}{{WorstKey, 1}, {equalKeys, 2}, {"guard_inflight_max", len(columns) + 2}, {"guard_latency_p99_ms", len(columns) + 3}} {
		if results.HasFigure(rows, implied.metric) {
			columns = slices.Insert(columns, min(implied.at, len(columns)), implied.metric)
		}
	}
	shown, leftOut = withFigures(rows, columns)
	return shown, slices.DeleteFunc(leftOut, func(metric string) bool {
		return !slices.ContainsFunc(rows, func(r results.Result) bool { _, measured := r.Metrics[metric]; return measured })
	})
}

// Leading names the metrics with which the tables of a scenario begin, and reports whether
// they are those of limits on rates, the headline ones.
func Leading(rows []results.Result) (metrics []string, ofRates bool) {
	switch {
	case hasWorkers(rows):
		return ofWorkers, false
	case results.HasFigure(rows, "goodput_per_s"):
		return ofDeadline, false
	}
	return catalog.Headline(), true
}

// withFigures divides columns, without repetitions, into those with a figure in
// some row and those without.
func withFigures(rows []results.Result, columns []string) (shown, leftOut []string) {
	columns = lists.Distinct(columns)
	has := func(name string) bool { return results.HasFigure(rows, name) }
	return lists.Where(columns, has), slices.DeleteFunc(columns, has)
}

// shortHeads maps metrics to heads that are shorter than their names.
var shortHeads = map[string]Column{
	"over_limit_pct":            {Header: "over-limit", Unit: "%"},
	WorstKey:                    {Header: "worst key", Unit: "%"},
	equalKeys:                   {Header: "equal keys", Unit: "%"},
	"burst_excess":              {Header: "burst excess"},
	"over_admission_pct":        {Header: "over-admission", Unit: "%"},
	"under_admission_pct":       {Header: "under-admission", Unit: "%"},
	"rejected_pct":              {Header: "rejected", Unit: "%"},
	"decision_latency_p50_ms":   {Header: "p50", Unit: "ms"},
	"decision_latency_p99_ms":   {Header: "p99", Unit: "ms"},
	"fairness_tenant_run_min":   {Header: "fairness min"},
	"fairness_tenant_run_max":   {Header: "fairness max"},
	"fairness_client_run_min":   {Header: "client fairness min"},
	"client_share_max_over_min": {Header: "shares max/min"},
	"client_share_min_pct":      {Header: "least share", Unit: "%"},
	"timed_out_pct":             {Header: "timed out", Unit: "%"},
	"server_calls_per_s":        {Header: "server calls", Unit: "/s"},
	"server_calls_peak_1s":      {Header: "peak calls in 1 s"},
	"server_calls_peak_10ms":    {Header: "peak calls in 10 ms"},
	"guard_inflight_max":        {Header: "backend max in flight"},
	"guard_latency_p99_ms":      {Header: "backend p99", Unit: "ms"},
}

// ColumnOf returns the head of a metric: a short one if there is one, otherwise
// the words of its name and its unit in the registry. The unit is written once:
// it replaces its abbreviation at the end of a name. It is omitted if the name
// contains it.
func ColumnOf(metric string, registry []catalog.Metric) Column {
	unit := UnitOf(metric, registry)
	if c, ok := shortHeads[metric]; ok {
		if metric == "burst_excess" {
			c.Unit = strings.Replace(unit, "requests", "req", 1)
		}
		c.Right = true
		return c
	}
	head := metric
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

// InUnitsOf returns the registry with units that fit the rows: what is counted in
// tokens is counted in requests if every request costs one token, and figures against
// the limit in what the limit counts.
func InUnitsOf(limit string, rows []results.Result, registry []catalog.Metric) []catalog.Metric {
	cost := results.CostUnit(rows)
	registry = slices.Clone(registry)
	for i := range registry {
		m, unit := &registry[i], limit
		if strings.HasSuffix(m.Name, "_cost") || strings.HasSuffix(m.Unit, "/s") {
			unit = cost
		}
		if !strings.Contains(m.Name, "tokens") {
			m.Unit = strings.Replace(m.Unit, "tokens", unit, 1)
		}
	}
	return registry
}

// Cell writes a summary's mean with the reach of its interval, "29.7 ±0.2", or its bounds,
// "0 to 102", or "> 40" of a time that is longer than the run. It writes "-" if there is no mean.
func Cell(s results.Summary) string {
	switch {
	case s.Bounds:
		return format.Between(*s.Lo, *s.Hi)
	case s.AtLeast:
		return "> " + format.Number(*s.Mean)
	}
	return format.Cell(s.Mean, s.Spread())
}

// heads returns the columns of these metrics.
func heads(columns []string, registry []catalog.Metric) (list []Column) {
	for _, name := range columns {
		list = append(list, ColumnOf(name, registry))
		if name == WorstKey {
			list = append(list, Column{Header: "worst key", Joined: true})
		}
	}
	return list
}

// withoutNames removes the column of the worst key's name if no row names one.
func (t *Table) withoutNames() {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Joined })
	if i < 0 || slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
		return
	}
	t.Columns = slices.Delete(t.Columns, i, i+1)
	for k, row := range t.Rows {
		t.Rows[k] = slices.Delete(row, i, i+1)
	}
}

// fewerColumns is the note of a table of metrics that is too wide.
const fewerColumns = "wider than the terminal: --columns selects metrics, COLUMNS sets the width"

// cells writes a row's figures, under heads.
func cells(r results.Result, columns []string) (list []string) {
	for _, name := range columns {
		cell := Cell(r.Summary(name))
		if given := r.Summary("jobs_given_up").Mean; name == "finish_s" && given != nil && *given > 0 && cell != "-" {
			cell += ", " + format.Number(*given) + " given up" // a finish that is early because jobs were dropped
		}
		list = append(list, cell)
		if name == WorstKey {
			list = append(list, r.WorstKey)
		}
	}
	return list
}
