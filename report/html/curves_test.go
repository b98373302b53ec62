package html

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestCurves(t *testing.T) {
	doc := small()
	if page := string(render(t, doc)); strings.Contains(page, `id="curves"`) {
		t.Error("a page without curves has a section for them")
	}
	for _, r := range doc.Results[:2] { // the second scenario has algorithms of the first one
		r.Scenario = "straddle"
		doc.Results = append(doc.Results, r)
	}
	doc.Curves = []results.Curve{{Name: "growth <1>", X: "clients", Y: "over_limit_pct", Scenarios: []string{"straddle", "fleet"}}}
	page := string(render(t, doc))
	for _, want := range []string{`<section id="curves"`, `href="#curves"`, "growth &lt;1&gt;: over-limit % against clients", "in proportion", "<th scope=\"col\" class=\"num\">slope</th>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
