package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// describeSetting is a scenario in a line.
func describeSetting(s *scenarios.Scenario) string {
	text := fmt.Sprintf("limit %s, burst %d, on %d clients", s.Policy.Limit, s.Policy.Burst, s.Topology.Clients)
	if len(s.Traffic) == 1 && s.Traffic[0].Options.Set("rate") {
		text += fmt.Sprintf("; %s offered, %s", s.Traffic[0].Options.Rate("rate"), s.Traffic[0].Pattern)
	}
	return text
}

// predictions is a table of what theory says beside what was simulated.
func predictions(s *scenarios.Scenario, row results.Result) table.Table {
	t := table.Table{Columns: []table.Column{
		{Header: "figure"}, {Header: "predicted", Right: true}, {Header: "simulated", Right: true}, {Header: "closed form"},
	}}
	p := predict(s)
	why := map[string][]string{}
	for _, line := range []struct {
		name, short, metric string
		p                   batchreported.Predicted
		scale               float64
	}{
		{"over-limit, % of the limit", "over-limit", "over_limit_pct", p.OverLimit, 100},
		{"long-run rate, of the limit", "long-run rate", "admitted_over_limit", p.LongRun, 1},
		{"noise of a window, % of the limit", "noise", "window_error_sd_pct", p.Noise, 100},
		{"under-admission, % of what is due", "", "under_admission_pct", batchreported.Predicted{}, 1},
		{"burst excess, requests", "", "burst_excess", batchreported.Predicted{}, 1},
		{"server calls per second", "", "server_calls_per_s", batchreported.Predicted{}, 1},
	} {
		predicted, form := "-", line.p.Formula
		switch {
		case form != "":
			predicted = format.Number(line.p.Value * line.scale)
		case line.p.Why != "":
			form = "none"
		}
		if line.p.Why != "" {
			why[line.p.Why] = append(why[line.p.Why], line.short)
		}
		t.Rows = append(t.Rows, []string{line.name, predicted, table.Cell(row.Summary(line.metric)), form})
	}
	if p.OverLimit.Formula != "" || p.LongRun.Formula != "" || p.Noise.Formula != "" {
		t.Notes = append(t.Notes, "k = offered/limit, d = interval, l = mean latency, w = window, L = limit per window, N = clients; "+
			"given where it holds within 1 % of the limit and a tenth of what is beyond it")
	}
	for _, reason := range []string{p.OverLimit.Why, p.LongRun.Why, p.Noise.Why} {
		if names := why[reason]; reason != "" && names != nil {
			t.Notes = append(t.Notes, strings.Join(names, ", ")+": "+reason)
			delete(why, reason)
		}
	}
	return t
}

// predict applies theory where there is any: to batch reports of steady traffic
// on one key.
func predict(s *scenarios.Scenario) batchreported.Prediction {
	none := func(why string) batchreported.Prediction {
		p := batchreported.Predicted{Why: why}
		return batchreported.Prediction{OverLimit: p, LongRun: p, Noise: p}
	}
	a, traffic := &s.Algorithms[0], s.Traffic
	switch {
	case a.Enforcement != "batch-reported":
		return none("closed forms are given for batch-reported alone")
	case len(s.Faults) > 0 || s.Retries != nil:
		return none("given for traffic and networks without faults or retries")
	case len(s.Further) > 0:
		return none("given for one policy")
	case len(traffic) != 1 || traffic[0].Pattern != "constant" && traffic[0].Pattern != "poisson" || traffic[0].From > 0 || traffic[0].To < s.Duration:
		return none("given for steady traffic of one entry")
	case traffic[0].Keys.Name != "one" && !s.Policy.Shared:
		return none("given for one key")
	case traffic[0].Spread.Name != "even" && traffic[0].Spread.Name != "random":
		return none("given for traffic spread evenly over clients")
	case traffic[0].Cost.Name != "constant":
		return none("given for requests of one cost")
	case a.Options.Duration("server_time") > 0:
		return none("reports wait for each other at a server that takes time")
	case a.Options.Choice("sharding").Name == "slices" && s.Topology.Servers > 1:
		return none("slices that move leave their counts behind")
	}
	limit := counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	config, err := batchreported.ConfigFrom(a.Options, limit, s.Topology.Clients)
	if err != nil {
		return none(err.Error())
	}
	cost := float64(traffic[0].Cost.Values.Int("value"))
	load := batchreported.Load{
		Offered:  traffic[0].Options.Rate("rate").PerSecond() * cost,
		Cost:     cost,
		Poisson:  traffic[0].Pattern == "poisson",
		AtRandom: traffic[0].Spread.Name == "random",
		Before:   float64(s.Warmup) / 1e9,
		Span:     float64(s.Duration-s.Warmup) / 1e9,
	}
	load.Latency, load.Tail = latency(s.Topology.Network)
	return config.Predict(load)
}

// latency is the mean of a call's latency and its 99th percentile, in s; they are
// the same where calls do not differ.
func latency(distribution catalog.Choice) (mean, tail float64) {
	const z99 = 2.3263478740408408 // quantile of the normal distribution
	seconds := func(field string) float64 { return float64(distribution.Values.Duration(field)) / 1e9 }
	switch distribution.Name {
	case "exponential":
		return seconds("p99") / math.Log(100), seconds("p99")
	case "lognormal":
		sigma := math.Log(seconds("p99")/seconds("p50")) / z99
		return seconds("p50") * math.Exp(sigma*sigma/2), seconds("p99")
	}
	return seconds("time"), seconds("time")
}
