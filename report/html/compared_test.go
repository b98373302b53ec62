package html

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
)

// against returns a verdict of the small document against a baseline.
func against(status gate.Status, algorithm, metric string, base, now, p float64) gate.Verdict {
	by, caught80, caught99 := now-base, 0.61, 0.95
	return gate.Verdict{
		Scenario: "fleet", Algorithm: algorithm, Metric: metric, Status: status, Seed: 7, Figure: &now,
		Change: &gate.Change{Base: &base, Change: &by, P: &p, MinEffect: 0.25, Caught80: &caught80, Caught99: &caught99, Compared: "paired", Replications: 10, LeastChanged: 5},
	}
}

// proven returns a verdict of a figure that is to be proven no worse.
func proven(status gate.Status, algorithm string, worst float64) gate.Verdict {
	v := against(status, algorithm, "over_limit_pct", 10, 10.5, 0)
	margin := 0.5
	v.Change = &gate.Change{Base: v.Change.Base, Change: v.Change.Change, MinEffect: margin, NotWorse: "5 %", Margin: &margin, Worst: &worst}
	return v
}

func gatePage(t testing.TB, doc *results.Document, list ...gate.Verdict) string {
	t.Helper()
	var out bytes.Buffer
	v := gate.Verdicts{List: list, Partial: doc.Partial, Stamp: doc.Stamp}
	if err := WriteGate(&out, doc, v, registry); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// compareAll holds a verdict of every kind and outcome, in no good order.
func compareAll() []gate.Verdict {
	unproven := proven(gate.Unevaluated, "window", 0.75)
	unproven.Reason = "not proven: by the 95 % interval it may be worse by 0.75, more than 0.5"
	missing := gate.Verdict{
		Scenario: "fleet", Algorithm: "window", Metric: "burst_excess", Allowed: true, Seed: 7,
		Reason: "the baseline has no such row", Change: &gate.Change{MinEffect: 0.25},
	}
	return append(gate.Evaluate(small()).List,
		against(gate.Unchanged, "debt", "burst_excess", 9, 9, 1),
		against(gate.Failed, "debt", "over_admission_pct", 10, 11, 0.002),
		missing,
		against(gate.Passed, "debt", "under_admission_pct", 7, 7.1, 0.6),
		against(gate.Failed, "batch", "burst_excess", 20, 30, 0.002),
		proven(gate.Passed, "debt", 0.25), unproven,
	)
}

// TestGatePage checks what a gate's page says of its comparisons, the worst first.
func TestGatePage(t *testing.T) {
	page := strings.ReplaceAll(gatePage(t, small(), compareAll()...), "&#43;", "+")
	rest := page
	for _, want := range []string{
		"<title>limitgauge gate", `class="verdict failed"`, "failed: 3 passed, 3 failed, 3 unevaluated (1 allowed), 1 unchanged</h2>",
		"The worst: burst_excess of batch in fleet was 20, now 30 (+50 %).",
		"Failed or not evaluated", // the thresholds
		"Compared with the baseline, the worst first. Caught: the smallest change for the worse that such a gate fails with a probability of 80&nbsp;% and 99&nbsp;%;",
		"caught, 99 %",
		`<td>batch</td><td><a href="#metric-burst_excess"`, `data-head="base">20</td><td class="num" data-head="now">30</td><td class="num" data-head="change">+10 <span class="spread">+50 %</span>`,
		`data-head="p">0.002</td><td class="num" data-head="counts from">0.25</td><td class="num" data-head="caught, 80 %">0.61</td><td class="num" data-head="caught, 99 %">0.95</td>`,
		`<td>debt</td><td><a href="#metric-over_admission_pct"`, "+1 ",
		"To be proven no worse than the baseline.", "?</span> unevaluated", `data-head="at worst">+0.75</td><td class="num" data-head="allowed">0.5</td>`, "not proven: by the 95 % interval",
		"1 unevaluated against the baseline", "unevaluated (allowed)", "the baseline has no such row",
		"2 passed against the baseline", "under_admission_pct", "unchanged",
		"1 proven no worse than the baseline",
		"<nav", "fleet</a> <span class=\"status failed\">",
		`<ul class="checks">`, "against the baseline: was 10, now 11, change +1, counts from 0.25, p 0.002, seed 7</li>",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("the page lacks, in this place, %q:\n%s", want, rest[:min(len(rest), 4000)])
		}
		rest = after
	}
	if strings.Contains(page, "at least the stated probabilities") {
		t.Error("the page speaks of lower bounds, and there are none")
	}
}

// TestGatePageWithoutFailures checks the pages of gates that found nothing wrong, or
// nothing at all.
func TestGatePageWithoutFailures(t *testing.T) {
	doc := small()
	doc.Scenarios[0].Expectations, doc.Input = nil, nil
	lower := against(gate.Passed, "debt", "burst_excess", 9, 9, 1)
	lower.Change.AtLeast = true
	missing := compareAll()[5]
	many := slices.Repeat([]gate.Verdict{lower}, mostUnevaluated+1)
	for _, c := range []struct {
		name      string
		list      []gate.Verdict
		want, not []string
	}{
		{"passed", []gate.Verdict{lower}, []string{`class="verdict passed"`, "<details open><summary>1 passed against", "at least the stated probabilities"}, []string{"The worst:"}},
		{"many passed", many, []string{"<details><summary>11 passed against"}, nil},
		{"nothing to check", nil, []string{`class="verdict unevaluated"`, "unevaluated: nothing to check", `<p class="warning">nothing to check`}, []string{"Nothing expected"}},
		{"all excused", []gate.Verdict{missing}, []string{`class="verdict unevaluated"`, `<p class="warning">nothing was evaluated`}, []string{"Nothing expected"}},
	} {
		page := gatePage(t, doc, c.list...)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %q", c.name, want)
			}
		}
		for _, not := range c.not {
			if strings.Contains(page, not) {
				t.Errorf("%s: the page says %q", c.name, not)
			}
		}
	}
	empty := &results.Document{}
	if page := gatePage(t, empty, gate.Verdict{Scenario: "gate", Reason: "the baseline is of another seed"}); !strings.Contains(page, `<p class="warning">the baseline is of another seed</p>`) {
		t.Error("a page without a document does not say why")
	}
}

// TestBrowserGateOnPhone checks that a narrow screen shows captions and numbers of
// the comparisons without scrolling sideways.
func TestBrowserGateOnPhone(t *testing.T) {
	b := openBrowser(t)
	path := filepath.Join(t.TempDir(), "gate.html")
	if err := os.WriteFile(path, []byte(gatePage(t, small(), compareAll()...)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{360, 1200} {
		b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
		b.LoadFile(path)
		var hidden []string
		b.Eval(`Array.from(document.querySelectorAll("#verdict .compared caption, #verdict .compared td")).filter(function (e) {
			var r = e.getBoundingClientRect();
			return r.right > document.documentElement.clientWidth;
		}).map(function (e) { return e.textContent; })`, &hidden)
		if len(hidden) > 0 {
			t.Errorf("at %d px these are not in sight: %q", width, hidden)
		}
	}
	b.quiet(path)
}
