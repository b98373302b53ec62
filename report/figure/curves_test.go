package figure

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// growing returns a document with a curve over three scenarios. batch calls once
// for each request, debt 100 times at any load, exact never.
func growing() *results.Document {
	doc := &results.Document{Curves: []results.Curve{{
		Name: "growth", X: "offered_per_s", Y: "server_calls_per_s", Scenarios: []string{"a", "b", "c", "left out"},
	}}}
	for i, name := range []string{"a", "b", "c"} {
		rate := []float64{10, 100, 1000}[i]
		doc.Scenarios = append(doc.Scenarios, results.Scenario{Name: name, StartNs: 1e9, EndNs: 3e9})
		for k, algorithm := range []string{"batch", "debt", "exact"} {
			metrics := map[string]results.Summary{"offered_per_s": summary(rate, 0), "server_calls_per_s": summary([]float64{rate, 100, 0}[k], 0)}
			doc.Results = append(doc.Results, results.Result{Scenario: name, Algorithm: algorithm, Metrics: metrics})
		}
	}
	return doc
}

func TestCurves(t *testing.T) {
	f := Curves(growing())
	if len(f.Panels) != 1 || len(f.Legend) != 3 {
		t.Fatalf("%d panels, legend %v", len(f.Panels), f.Legend)
	}
	p := f.Panels[0]
	if lines := shapesOf[Line](p); len(lines) != 3 || lines[1].Points[2] != (Point{1000, 1000}) || lines[2].Points[0] != (Point{10, 100}) {
		t.Errorf("lines %v", lines)
	}
	var labels []string
	for _, s := range shapesOf[Spot](p) {
		if s.Label != "" {
			labels = append(labels, s.Label)
		}
	}
	if got := strings.Join(labels, ", "); got != "batch: slope 1.00, debt: slope 0.00" {
		t.Errorf("labels %s", got)
	}
	if !p.X.Log || !p.Y.Log || p.X.Label != "offered per s" {
		t.Errorf("axes %+v %+v", p.X, p.Y)
	}
	falling := growing()
	for i := range falling.Results {
		m := falling.Results[i].Metrics
		m["server_calls_per_s"] = summary(500 / *m["offered_per_s"].Mean, 0)
	}
	f = Curves(falling)
	if lines := shapesOf[Line](f.Panels[0]); len(lines) != 3 || len(f.Legend) != 3 || lines[0].Paint == IdealLine {
		t.Errorf("falling curves: lines %v, legend %v", lines, f.Legend)
	}
	doc := growing()
	doc.Curves[0].Y = "unknown"
	if f := Curves(doc); f != nil {
		t.Error("a figure without values")
	}
}

// TestCoincident checks that lines at most 1 % apart are named together, once for panels
// that agree.
func TestCoincident(t *testing.T) {
	line := func(name string, ys ...float64) drawnLine {
		l := drawnLine{name: name}
		for i, y := range ys {
			l.points = append(l.points, Point{float64(i), y})
		}
		return l
	}
	panel := []drawnLine{line("a", 1, 10), line("b", 2, 20), line("c", 1.005, 10.05), line("d", 1, 10, 100), line("e", 1)}
	if got := onOneLine([]drawnLines{{"x", panel}, {"y", panel}}); got != " · on one line: a = c" {
		t.Errorf("%q", got)
	}
	if got := onOneLine([]drawnLines{{"x", panel}, {"y", panel[:2]}}); got != " · on one line: a = c in x" {
		t.Errorf("in one of two panels: %q", got)
	}
	if got := onOneLine([]drawnLines{{"x", panel[1:2]}, {"y", panel[:2]}}); got != "" {
		t.Errorf("different lines: %q", got)
	}
	if got := onOneLine([]drawnLines{{"x", []drawnLine{line(strings.Repeat("a", 100), 1, 2), line(strings.Repeat("b", 100), 1, 2)}}}); !strings.Contains(got, "some lines") {
		t.Errorf("long names: %q", got)
	}
	all, some := drawnLines{"x", []drawnLine{panel[0], panel[2]}}, drawnLines{"x", panel}
	if all.allOnOneLine() == "" || some.allOnOneLine() != "" {
		t.Errorf("all %q, some %q", all.allOnOneLine(), some.allOnOneLine())
	}
	doc := growing()
	for _, r := range doc.Results {
		r.Metrics["server_calls_per_s"] = summary(100, 0)
	}
	if f := Curves(doc); !strings.HasSuffix(f.Subtitle, "on one line: batch = debt = exact") {
		t.Errorf("subtitle %q", f.Subtitle)
	}
}
