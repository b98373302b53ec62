package html

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestFaultsAreShown checks that a page has a note of what faults touched, a band
// in each timeline and the fault in its legend.
func TestFaultsAreShown(t *testing.T) {
	doc := small()
	if page := render(t, doc); strings.Contains(page, "touched") || strings.Contains(page, `class="fault"`) {
		t.Error("a page without faults shows some")
	}
	s := &doc.Scenarios[0]
	s.Faults = []results.Fault{{Kind: "store-down", Text: "store-down 1s-2s", Unit: "calls", Spans: []results.Span{{FromNs: s.StartNs, ToNs: s.EndNs}}}}
	for i := range doc.Results {
		doc.Results[i].Touched = []results.Touched{{Affects: true, Mean: 4321, Min: 4321, Max: 4321}}
	}
	page := render(t, doc)
	for _, want := range []string{`<li>store-down 1s-2s: touched 4321 calls in `, `</svg> store-down 1s-2s</li>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, `class="fault"`); n < len(doc.Series) {
		t.Errorf("%d bands for %d timelines", n, len(doc.Series))
	}
}
