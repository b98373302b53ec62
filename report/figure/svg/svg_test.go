package svg

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/figure"
)

func TestPanels(t *testing.T) {
	f := &figure.Figure{Width: 360, Height: 150, Shared: true, Panels: []figure.Panel{{
		Title: "a<b", Alt: `says "more"`,
		X: figure.Axis{Label: "time, s", Hi: 2, Ticks: []figure.Tick{{Value: 1, Label: "1"}}},
		Y: figure.Axis{Hi: 10, Grid: true, Ticks: []figure.Tick{{Value: 5, Label: "5"}}},
		Marks: []figure.Mark{
			{Shapes: []figure.Shape{figure.Steps{Paint: figure.Offered, Step: 1, Heights: []float64{5, 10}}}},
			{Title: "p99 <1 ms", X: 1, Y: 5, Shapes: []figure.Shape{figure.Spot{Paint: figure.Series(13), X: 1, Y: 5, Radius: 3}}},
		},
		Readout: &figure.Readout{Name: "a<b", StartNs: 3, StepNs: 1e9, Format: "%s/s of %s", Values: [][]float64{{1234.6, 1234.7, 0}, {0.123456, 0.123456, 0.5}}},
	}}}
	panels := Panels(f)
	if len(panels) != 1 {
		t.Fatalf("%d panels", len(panels))
	}
	for _, want := range []string{
		`viewBox="0 0 360 150" role="img" aria-label="says &#34;more&#34;" data-frame="14`,
		`data-name="a&lt;b" data-format="%s/s of %s" data-start="3" data-step="1000000000" data-values="1235  0;0.1235  0.5">`,
		`<text class="name" x="14" y="14">a&lt;b</text>`,
		`<text class="tick end" x="348" y="14">time, s</text>`,
		`<path class="rule" d="M14`,
		`<path class="offered" d="M14 130V77H181V24H348V130Z"/>`,
		`<g class="mark"><title>p99 &lt;1 ms</title><rect class="hit"`,
		`<circle class="dot line1"`,
	} {
		if !strings.Contains(panels[0], want) {
			t.Errorf("lacks %s:\n%s", want, panels[0])
		}
	}
}

// A path omits a point that is between its two adjacent points on a vertical or
// horizontal line.
func TestTrace(t *testing.T) {
	for _, c := range []struct {
		line []figure.Point
		want string
	}{
		{[]figure.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 3}, {X: 2, Y: 3}, {X: 4, Y: 5}}, "M0 0H2V3L4 5"},
		{[]figure.Point{{X: 1, Y: 1}}, "M1 1"},
		{[]figure.Point{{X: 0.04, Y: 1.26}, {X: 0.01, Y: 2}}, "M0 1.3V2"},
	} {
		if got := string(trace(nil, c.line)); got != c.want {
			t.Errorf("%v is %q, want %q", c.line, got, c.want)
		}
	}
}

func TestSample(t *testing.T) {
	for sample, want := range map[figure.Sample]string{
		figure.Area: `<path class="limit" d="M0 1H22V11H0Z"/>`, figure.LineSample: `d="M0 6H22"`,
		figure.UprightSample: `d="M11 1V11"`, figure.SpotSample: `<circle class="limit" cx="11"`,
	} {
		if got := Sample(figure.Entry{Paint: figure.Limit, Sample: sample}); !strings.Contains(got, want) {
			t.Errorf("sample %d is %s, want %s in it", sample, got, want)
		}
	}
}
