package trial

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// simulate runs algorithms, and the reference of the scenario, on the requests as
// they were sent, with the latency of the target's answers unless OwnNetwork is set. The
// simulated limiters thus decide the traffic that the target received, and not the
// plan. If the phase of the target's windows is known, the simulated ones have the same.
// All are measured against the reference of what the target is judged by.
func (m *measurement) simulate(ctx context.Context, algorithms []scenarios.Algorithm) (*results.Document, error) {
	s := *m.scenario()
	s.Algorithms = algorithms
	for reference, promise := range promised {
		if promise == m.Promise {
			s.Policy.Reference.Kind = reference
		}
	}
	s.Expect = slices.Clone(s.Expect)
	for i := range s.Expect {
		if s.Expect[i].Algorithm == m.Target {
			s.Expect[i].OfTarget = false // the document will have this row
		}
	}
	var err error
	if s.Traffic, err = traceEntries(s.Topology.Clients); err != nil {
		return nil, err
	}
	s.Duration, s.Warmup, s.Callers = 0, 0, nil // which are among what was sent
	if len(m.took) > 0 && !m.OwnNetwork {
		s.Topology.Network = latencyOf(m.took)
	}
	file := *m.File
	file.Scenarios, file.Curves = []scenarios.Scenario{s}, nil
	options := m.Simulation
	trace, written := io.Pipe()
	defer trace.Close() // ends the writer if nobody reads to the end
	go func() { written.CloseWithError(m.writeTrace(written)) }()
	options.Stdin = trace
	d, err := sim.Run(ctx, &file, options)
	if d != nil {
		d.Input = []results.Input{} // the trace is no file
	}
	return d, err
}

// parts has, for each simulation of a prediction beside that of the requests as they were sent,
// into how many equal parts, in the order of sending, the requests are divided. Those of one part
// are decided when they were sent, those of the next one when they were answered, and so on; in
// every second simulation the first part is one of the latter. If there is no part, they are
// decided at any time between.
var parts = []int{0, 1, 2, 2, 8, 8, 32, 32}

// compare compares the figures of the target with those of the algorithm that should
// predict it, in the same windows. What differs is what differs in the same direction at some
// times of decision between sending and answer and, if the phase of the windows is known to an
// interval, at some phases in it. If the phase is unknown, the algorithm is simulated at some
// others. If it then decides otherwise, it predicts nothing.
func (m *measurement) compare(ctx context.Context, d *results.Document) error {
	predicted, window := m.prediction(d), m.Limit().Window
	if predicted.Algorithm == "" {
		return nil
	}
	m.off = offOf(metricsOf(m.figures), predicted)
	known, first := m.report.Phase.Phase, m.shiftNs
	defer func() { m.shiftNs, m.drawn = first, 0 }()
	algorithms := lists.Where(m.scenario().Algorithms, func(a scenarios.Algorithm) bool { return a.Name == m.Predict })
	predict := func(later int64, drawn int) (results.Result, error) {
		m.shiftNs, m.drawn = (first-later+window)%window, drawn
		other, err := m.simulate(ctx, algorithms)
		if err != nil {
			return results.Result{}, err
		}
		return m.prediction(other), nil
	}
	variants := int64(len(parts))
	for i := range variants {
		later, figures := int64(0), m.figures
		switch {
		case known == nil && i > 0:
			moved, err := predict(i*window/variants, 0)
			if err != nil {
				return err
			}
			m.needsPhase = m.needsPhase || decidesOtherwise(predicted, moved)
		case known != nil:
			later = i * (known.LatestNs - known.EarliestNs) / (variants - 1)
			report := *m.report
			report.Phase.Phase = &bounds.Phase{EarliestNs: (known.EarliestNs + later) % window, LatestNs: (known.EarliestNs + later) % window}
			var err error
			if figures, _, err = bounds.Figures(m.run.Exchanges, m.settings(), &report); err != nil {
				return err
			}
		}
		moved, err := predict(later, 1+int(i))
		if err != nil {
			return err
		}
		for metric, off := range offOf(metricsOf(figures), moved) {
			switch before := m.off[metric]; {
			case before*off <= 0: // it passes 0 between them
				m.off[metric] = 0
			case math.Abs(off) < math.Abs(before):
				m.off[metric] = off
			}
		}
	}
	if m.needsPhase {
		m.off = nil
	}
	return nil
}

// offOf returns by how much each figure of the target is certainly off a prediction. Shares of
// clients are left out: nothing shows in which order requests in flight were decided, and each
// order gives the clients other shares.
func offOf(measured map[string]results.Summary, predicted results.Result) map[string]float64 {
	off := map[string]float64{}
	for metric, s := range measured {
		if simulated := predicted.Summary(metric); s.Bounds && simulated.Mean != nil && !strings.HasPrefix(metric, "client_share_") {
			off[metric] = table.Off(s, simulated)
		}
	}
	return off
}

// decidesOtherwise reports whether two rows certainly differ in what they reject.
func decidesOtherwise(a, b results.Result) bool {
	return slices.ContainsFunc([]string{"rejected_requests", "worst_sliding_pct"}, func(metric string) bool {
		x, y := a.Summary(metric), b.Summary(metric)
		return x.Mean != nil && y.Mean != nil && math.Abs(*x.Mean-*y.Mean) > x.Spread()+y.Spread()
	})
}

// prediction returns the row of a document that should predict the target.
func (m *measurement) prediction(d *results.Document) (row results.Result) {
	if i := slices.IndexFunc(d.Results, func(r results.Result) bool { return !r.Reference && r.Algorithm == m.Predict }); i >= 0 {
		row = d.Results[i]
	}
	return row
}

// writeTrace writes the requests that were sent as a log: at the times at which they were sent
// or, if drawn is above 0, as the element drawn-1 of parts says.
func (m *measurement) writeTrace(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"t", "key", "client", "cost"})
	type arrival struct {
		*exchange.Exchange
		at int64
	}
	var list []arrival
	draws, sent := random.New(uint64(m.drawn), 0, "times of decision"), m.answered()
	for k, x := range sent {
		at := max(x.SentNs, 0)
		if took := x.AnsweredNs - at; m.drawn > 0 && x.Verdict != exchange.Failed && took > 0 {
			switch n := parts[m.drawn-1]; {
			case n == 0:
				at += int64(draws.Below(uint64(took)))
			case (k*n/len(sent)+m.drawn)%2 == 0:
				at = x.AnsweredNs
			}
		}
		list = append(list, arrival{x, at})
	}
	slices.SortStableFunc(list, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	for _, x := range list {
		w.Write([]string{strconv.FormatInt(x.at+m.shiftNs, 10), x.Key, strconv.Itoa(int(x.Client)), strconv.FormatInt(x.Cost, 10)})
	}
	w.Flush()
	return w.Error()
}

// traceEntries returns the traffic that replays a trace of writeTrace from standard
// input.
func traceEntries(clients int) ([]scenarios.Traffic, error) {
	known := sim.Catalog()
	text, err := json.Marshal(map[string]any{
		"version": 1,
		"scenarios": []any{map[string]any{
			"name": "sent", "policy": map[string]any{"limit": "1/s"}, "algorithms": []string{known.Counters[0].Name},
			"topology": map[string]any{"clients": clients},
			"traffic": []any{map[string]any{
				"pattern": "trace", "file": "-", "format": "csv", "time_field": "t", "time_format": "relative-ns",
				"key_field": "key", "client_field": "client", "cost_fields": []string{"cost"},
			}},
		}},
	})
	if err != nil {
		return nil, err
	}
	f, problems := scenarios.Load("sent", text, "/", known)
	if len(problems) > 0 {
		return nil, fmt.Errorf("replay of what was sent: %v", problems[0])
	}
	return f.Scenarios[0].Traffic, nil
}

// latencyOf returns a log-normal latency with the median and the 99th percentile of
// sorted times from sending a request to its verdict.
func latencyOf(took []int64) catalog.Choice {
	p50, p99 := max(send.Percentile(took, 50), 1), max(send.Percentile(took, 99), 1)
	return catalog.Choice{Name: "lognormal", Values: catalog.Values{"p50": {V: p50}, "p99": {V: p99}}}
}
