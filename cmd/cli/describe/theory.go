package describe

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Setting describes a scenario in one line.
func Setting(s *scenarios.Scenario) string {
	text := fmt.Sprintf("limit %s, burst %d, on %s", s.Policy.Limit, s.Policy.Burst, format.Count(s.Topology.Clients, "client"))
	if len(s.Traffic) == 1 && s.Traffic[0].Options.Set("rate") {
		text += fmt.Sprintf("; %s offered, %s", s.Traffic[0].Options.Rate("rate"), s.Traffic[0].Pattern)
	}
	return text
}

// Span states whether the start of the run is in the figures.
func Span(s *scenarios.Scenario) string {
	if s.Warmup == 0 {
		return "measured from the start, which is in all figures"
	}
	text := fmt.Sprintf("measured after a warm-up of %s", units.FormatDuration(s.Warmup))
	if s.Duration > 0 {
		text += fmt.Sprintf(", for %s", units.FormatDuration(s.Duration-s.Warmup))
	}
	return text + "; the start stands apart"
}

// Predictions returns a table of predicted and simulated values. start is the
// over-limit of the first windows.
func Predictions(s *scenarios.Scenario, row results.Result, start results.Summary) table.Table {
	t := table.Table{Columns: []table.Column{
		{Header: "figure"}, {Header: "predicted", Right: true}, {Header: "simulated", Right: true}, {Header: "closed form"},
	}}
	p := limiters.Predict(s)
	var why groups.Groups[string, string] // figures without a form, by the reason
	for _, line := range []struct {
		name, short, metric string
		p                   catalog.Predicted
		scale               float64
	}{
		{"over-limit, % of the limit", "over-limit", "over_limit_pct", p.OverLimit, 100},
		{"long-run rate, of the limit", "long-run rate", "admitted_over_limit", p.LongRun, 1},
		{"noise of a window, % of the limit", "noise", "window_error_sd_pct", p.Noise, 100},
		{"refused, % of requests", "refused", "rejected_pct", p.Refused, 100},
		{"good answers per second", "good answers", "goodput_per_s", p.Goodput, 1},
		{"burst excess, requests", "", "burst_excess", catalog.Predicted{}, 1},
		{"over-admission, % of what is due", "", "over_admission_pct", catalog.Predicted{}, 1},
		{"under-admission, % of what is due", "", "under_admission_pct", catalog.Predicted{}, 1},
		{"server calls per second", "", "server_calls_per_s", catalog.Predicted{}, 1},
	} {
		if line.p == (catalog.Predicted{}) && (line.short == "refused" || line.short == "good answers") {
			continue // no backend answers
		}
		predicted, form := "-", line.p.Formula
		switch {
		case form != "":
			predicted = format.Number(line.p.Value * line.scale)
		case line.p.Why != "":
			form = "none"
		}
		if line.p.Why != "" {
			why.Add(line.p.Why, line.short)
		}
		t.Rows = append(t.Rows, []string{line.name, predicted, table.Cell(row.Summary(line.metric)), form})
	}
	t.Rows = append(t.Rows, []string{"over-limit of the first three windows, %", "-", table.Cell(start), ""})
	if p.OverLimit.Formula != "" || p.LongRun.Formula != "" || p.Noise.Formula != "" {
		t.Notes = append(t.Notes, "k = offered/limit, d = interval, l = mean latency, w = window, L = limit per window, N = clients; "+
			"given where it holds within 1 % of the limit and a tenth of what is beyond it")
	}
	for _, reason := range why.Keys {
		t.Notes = append(t.Notes, strings.Join(why.Of[reason], ", ")+": "+reason)
	}
	return t
}
