package figure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestCalls(t *testing.T) {
	doc := document()
	doc.Results[0].Metrics["server_calls_per_s"] = results.Summarize([]float64{400, 420})
	doc.Results[0].Metrics["server_calls_peak_1s"] = results.Summarize([]float64{230, 260})
	doc.Series[2].Calls = nil
	f := calls(doc, Page)
	if len(f.Panels) != 2 || !strings.HasSuffix(f.Note, "1 row calls no server and has no panel.") {
		t.Fatalf("%d panels, note %q", len(f.Panels), f.Note)
	}
	p := f.Panels[0]
	want := [][]float64{{300, 310, 290, 320}, {200, 100, 0, 0}}
	if diff := cmp.Diff(want, p.Readout.Values); diff != "" {
		t.Errorf("values of the readout (-want +got):\n%s", diff)
	}
	if p.Title != "batch: 400/s, peak 230 in 1 s" || f.Panels[1].Title != "debt" {
		t.Errorf("titles %q, %q", p.Title, f.Panels[1].Title)
	}

	// Far more requests than calls would hide the calls.
	for i := range doc.Series {
		doc.Series[i].Offered[0] = 10000
	}
	if p := calls(doc, Page).Panels[0]; len(p.Readout.Values) != 1 || p.Y.Hi > 300 {
		t.Errorf("%d areas, scale to %v", len(p.Readout.Values), p.Y.Hi)
	}
	for i := range doc.Series {
		doc.Series[i].Calls = []int64{0, 0, 0, 0}
	}
	if f := calls(doc, Page); f != nil {
		t.Error("a figure without calls")
	}
}
