package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/sim/results"
)

// The worst replication that a page names is the one with the largest value,
// and its command ends with it.
func TestWorstIsNamed(t *testing.T) {
	doc := small()
	s := doc.Scenarios[0]
	rows := doc.Rows(s.Name)
	w := newWorst(doc, s, rows, results.Labels(rows), newGlossary(registry))
	got := map[string][]worstCell{}
	for _, r := range w.Rows {
		got[r.Label] = r.Cells
	}
	want := map[string][]worstCell{
		"batch":  {{"31", 2}, {"940", 2}, {"0", 0}},
		"debt":   {{"5", 3}, {"80", 2}, {"8.5", 3}},
		"window": {{"0", 0}, {"65", 2}, {"0", 0}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("worst: %v, want %v", got, want)
	}
	if want := "limitgauge run scenarios.yaml --scenario fleet --seed 7 --replication 2"; w.Rerun != want || w.Of != "batch in over-limit" {
		t.Errorf("rerun %q of %q, want %q", w.Rerun, w.Of, want)
	}
	if exact := doc.Scenarios[1]; newWorst(doc, exact, doc.Rows(exact.Name), nil, newGlossary(registry)) != nil {
		t.Error("an exact scenario has a worst replication")
	}
}

// A figure that is next to nothing beside the others does not make the axis
// run over hundreds of powers of ten.
func TestScaleIsBounded(t *testing.T) {
	tiny, one := 1e-300, 1.0
	s := layout.NewScale([]*float64{&tiny, &one}, 0, 400)
	if n := len(report.ScaleTicks(s, 6)); n > 12 || s.At(&tiny) < 0 || s.At(&one) <= s.At(&tiny) {
		t.Errorf("%d ticks, from %v to %v", n, s.At(&tiny), s.At(&one))
	}
}

// A distribution's dots are its quantiles by nearest rank.
func TestLatencyDots(t *testing.T) {
	fig := latencies(small(), small().Scenarios[0])
	if fig == nil || len(fig.Plots) != 1 {
		t.Fatalf("figure %v", fig)
	}
	text := string(fig.Plots[0])
	for _, want := range []string{"report latency p50 is 2 ms", "report latency p90 is 2 ms", "report latency p99 is 4 ms", "report latency p99.9 is 9 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// Without servers or a difference to draw there is no plot, and it says so.
func TestFrontier(t *testing.T) {
	doc := small()
	rows := doc.Rows("fleet")
	if fig := frontier(rows, results.Labels(rows)); len(fig.Plots) != 2 || strings.Count(string(fig.Plots[0]), `<g class="mark">`) != len(rows) {
		t.Errorf("frontier of a fleet: %v", fig)
	}
	for _, r := range rows {
		delete(r.Metrics, "server_calls_per_s")
	}
	if fig := frontier(rows, results.Labels(rows)); len(fig.Plots) != 1 || !strings.Contains(string(fig.Plots[0]), "against under-admission") {
		t.Errorf("frontier without servers: %v", fig)
	}
	for _, r := range rows {
		delete(r.Metrics, "over_limit_pct")
		r.Metrics["burst_excess"] = sample(0)
	}
	if fig := frontier(rows, results.Labels(rows)); len(fig.Plots) != 0 || !strings.Contains(fig.Note, "Nothing to draw") {
		t.Errorf("frontier without differences: %v", fig)
	}
}
