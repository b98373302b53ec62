package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

func TestCurve(t *testing.T) {
	doc := &results.Document{}
	for i, name := range []string{"one", "ten"} {
		doc.Scenarios = append(doc.Scenarios, results.Scenario{Name: name, Clients: []int{1, 10}[i]})
		for k, algorithm := range []string{"remote", "batch", "local"} {
			calls := resultstest.Point([]float64{500, 500, 20, 100, 1, 1}[2*k+i])
			if algorithm == "local" && i == 0 {
				calls = resultstest.NoData("decides in place", 1)
			}
			doc.Results = append(doc.Results, results.Result{Scenario: name, Algorithm: algorithm, Replications: 1,
				Metrics: map[string]results.Summary{"server_calls_per_s": calls, "rejected_pct": resultstest.Point(float64(10*k + i + 1))}})
		}
	}
	write := func(c results.Curve) string {
		var out bytes.Buffer
		if err := Text(&out, Curve(doc, c, resultstest.Metrics)); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String())
	}
	got := write(results.Curve{Name: "fleet", About: "Reports grow.", X: "clients", Y: "server_calls_per_s", Scenarios: []string{"one", "ten"}})
	want := strings.TrimSpace(`
fleet: server calls/s against clients
Reports grow.

algorithm  one  ten  slope
──────────────────────────
clients      1   10      -
remote     500  500   0.00
batch       20  100   0.70

slope: of the least-squares line through the logarithms of both figures; 1 grows in proportion,
  below 1 sub-linearly, 0 not at all
left out, no figure in two scenarios: local
`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Rows that differ in x show it.
	if got := write(results.Curve{Name: "c", X: "rejected_pct", Y: "server_calls_per_s", Scenarios: []string{"one", "ten"}}); !strings.Contains(got, "20 at 11  100 at 12") {
		t.Errorf("got\n%s", got)
	}
	// A curve without any line says so instead of being absent.
	if got := write(results.Curve{Name: "c", X: "clients", Y: "settle_s", Scenarios: []string{"one", "ten"}}); !strings.Contains(got, "left out, no figure in two scenarios: remote, batch, local") {
		t.Errorf("got\n%s", got)
	}
	if notes := Curve(doc, results.Curve{X: "clients", Y: "server_calls_per_s", Scenarios: []string{"one", "none"}}, nil).Notes; len(notes) > 0 {
		t.Errorf("a curve of one scenario has notes %q", notes)
	}
	// An x of 0 differs from another x, and a scenario without rows has no x.
	zero := &results.Document{}
	for i, name := range []string{"one", "two", "none"} {
		zero.Scenarios = append(zero.Scenarios, results.Scenario{Name: name, Clients: i + 1})
		for k, algorithm := range []string{"exact", "loose"}[:2-2*(i/2)] {
			zero.Results = append(zero.Results, results.Result{Scenario: name, Algorithm: algorithm, Replications: 1,
				Metrics: map[string]results.Summary{"rejected_pct": resultstest.Point(float64(7 * k)), "server_calls_per_s": resultstest.Point(5)}})
		}
	}
	scenarios := []string{"one", "two", "none"}
	if rows := Curve(zero, results.Curve{X: "rejected_pct", Y: "server_calls_per_s", Scenarios: scenarios}, nil).Rows; rows[0][1] != "5 at 0" || rows[1][1] != "5 at 7" {
		t.Errorf("rows that differ in x: %v", rows)
	}
	if rows := Curve(zero, results.Curve{X: "clients", Y: "server_calls_per_s", Scenarios: scenarios}, nil).Rows; !slices.Equal(rows[0], []string{"clients", "1", "2", "-", "-"}) {
		t.Errorf("x by scenario: %v", rows[0])
	}
	if rows := Curve(doc, results.Curve{X: "clients", Y: "server_calls_per_s", Scenarios: []string{"one", "none"}}, nil).Rows; len(rows) > 0 {
		t.Errorf("a curve of one scenario has rows %v", rows)
	}
}
