package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// simulateSent runs the algorithms of a scenario, and the reference, on the requests as they
// were sent, with the latency of the target's answers. The simulated limiters thus decide
// the traffic that the target received, and not the plan.
func simulateSent(ctx context.Context, f *scenarios.File, s *scenarios.Scenario, exchanges []exchange.Exchange, o sim.Options) (*results.Document, error) {
	trace, err := writeTrace(exchanges)
	if err != nil {
		return nil, err
	}
	defer os.Remove(trace)
	entries, err := traceEntries(trace, s.Topology.Clients)
	if err != nil {
		return nil, err
	}
	one := *s
	one.Traffic, one.Duration, one.Faults = entries, 0, nil
	one.Replications = 1
	if latency, known := latencyOf(exchanges); known {
		one.Topology.Network = latency
	}
	file := *f
	file.Scenarios, file.Curves = []scenarios.Scenario{one}, nil
	d, err := sim.Run(ctx, &file, o)
	if d != nil {
		d.Input = []results.Input{} // the trace is ours, and gone
	}
	return d, err
}

// writeTrace writes the requests that were sent as a log and returns the name of the
// file.
func writeTrace(exchanges []exchange.Exchange) (name string, err error) {
	f, err := os.CreateTemp("", "limitgauge-live-*.csv")
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriter(f)
	w := csv.NewWriter(buffered)
	w.Write([]string{"t", "key", "client", "cost"})
	for i := range exchanges {
		if x := &exchanges[i]; x.Verdict != exchange.NotSent {
			w.Write([]string{strconv.FormatInt(max(x.SentNs, 0), 10), x.Key, strconv.Itoa(int(x.Client)), strconv.FormatInt(x.Cost, 10)})
		}
	}
	w.Flush()
	for _, e := range []error{w.Error(), buffered.Flush(), f.Close()} {
		if err == nil {
			err = e
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// traceEntries returns the traffic that replays a trace of writeTrace.
func traceEntries(trace string, clients int) ([]scenarios.Traffic, error) {
	text, err := json.Marshal(map[string]any{
		"version": 1,
		"scenarios": []any{map[string]any{
			"name": "sent", "policy": map[string]any{"limit": "1/s"}, "algorithms": []string{names("algorithms")[0]},
			"topology": map[string]any{"clients": clients},
			"traffic": []any{map[string]any{
				"pattern": "trace", "file": trace, "format": "csv", "time_field": "t", "time_format": "relative-ns",
				"key_field": "key", "client_field": "client", "cost_fields": []string{"cost"},
			}},
		}},
	})
	if err != nil {
		return nil, err
	}
	f, problems := scenarios.Load("sent", text, "/", sim.Catalog())
	if len(problems) > 0 {
		return nil, fmt.Errorf("replay of what was sent: %v", problems[0])
	}
	return f.Scenarios[0].Traffic, nil
}

// latencyOf returns a log-normal latency with the median and the 99th percentile of the
// time from sending a request to its verdict. known is false without verdicts.
func latencyOf(exchanges []exchange.Exchange) (c catalog.Choice, known bool) {
	var took []int64
	for i := range exchanges {
		if x := &exchanges[i]; x.Verdict == exchange.Admitted || x.Verdict == exchange.Rejected {
			took = append(took, x.AnsweredNs-x.SentNs)
		}
	}
	if len(took) == 0 {
		return c, false
	}
	slices.Sort(took)
	p50, p99 := max(percentile(took, 50), 1), max(percentile(took, 99), 1)
	return catalog.Choice{Name: "lognormal", Values: catalog.Values{"p50": {V: p50}, "p99": {V: p99}}}, true
}

// percentile returns the smallest of sorted times that at least p % of them do not
// exceed.
func percentile(sorted []int64, p int) int64 {
	return sorted[max((len(sorted)*p+99)/100-1, 0)]
}
