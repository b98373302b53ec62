package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestFaultBands checks the bands of faults in panels over time and their names in
// the legend: the span of a fault is cut to the panel, which begins at 1 s and
// lasts 2 s.
func TestFaultBands(t *testing.T) {
	doc := document()
	doc.Scenarios[0].Faults = []results.Fault{
		{Kind: "store-down", Text: "store-down 1.5s-9s", Spans: []results.Span{{FromNs: 15e8, ToNs: 9e9}}},
		{Kind: "reshard", Text: "reshard 2s, 3 times", Spans: []results.Span{{FromNs: 2e9, ToNs: 2e9}, {FromNs: 25e8, ToNs: 25e8}, {FromNs: 9e9, ToNs: 9e9}}},
		{Kind: "clock", Text: "clock 0s-0.5s", Spans: []results.Span{{FromNs: 0, ToNs: 5e8}}},
	}
	for i := range doc.Results {
		doc.Results[i].Touched = []results.Touched{{Affects: true}, {Affects: true, Max: 2}, {}}
	}
	want := []Band{{0.5, 2, "store-down: touches nothing here"}, {1, 1, "reshard"}, {1.5, 1.5, ""}}
	for _, f := range []*Figure{timeline(doc, Page), guard(doc, Page), timeline(doc, Picture)} {
		for _, p := range f.Panels {
			if diff := cmp.Diff(want, shapesOf[Band](p)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", f.Title, p.Title, diff)
			}
		}
		named := map[string]bool{}
		for _, e := range f.Legend {
			named[e.Label] = e.Paint == Fault
		}
		for _, fault := range doc.Scenarios[0].Faults {
			if !named[fault.Text] {
				t.Errorf("%s: the legend lacks %s", f.Title, fault.Text)
			}
		}
	}
}

// The name of a fault is below one that it would touch, whatever the order of the faults in
// the file, and a later occurrence, which has no name, takes no room.
func TestNamesOfFaultsDoNotTouch(t *testing.T) {
	c := newPlain()
	f := frame{Canvas: c, box: Box{0, 0, 400, 300}, bands: []labelled{{x: 100, label: "restart"}, {x: 300}, {x: 50, label: "partition"}, {x: 90, label: "below"}, {x: 200, label: "policy-change"}}}
	f.bandNames()
	for words, want := range map[string]Point{"partition": {53, 11}, "below": {93, 24}, "policy-change": {203, 11}} {
		if at, ok := c.wrote(words); !ok || at != want {
			t.Errorf("%s is at %v, want %v", words, at, want)
		}
	}
	if len(c.texts) != 3 {
		t.Errorf("written: %v", c.texts)
	}
}
