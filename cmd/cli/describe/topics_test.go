package describe

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// TestExamplesOfTopics checks that the examples on the pages of topics are valid.
func TestExamplesOfTopics(t *testing.T) {
	if _, problems := scenarios.Load("smallest", []byte(smallest), ".", sim.Catalog()); len(problems) > 0 {
		t.Errorf("the file in help scenarios: %v", problems)
	}
	kinds := map[string]catalog.Kind{
		"duration": catalog.Duration, "rate": catalog.Rate, "limit": catalog.Limit, "share": catalog.Share,
		"whole number": catalog.Int, "size": catalog.Size, "instant": catalog.Time,
	}
	for _, q := range quantities {
		field := catalog.Field{Name: "x", Kind: kinds[q.name]}
		if got := field.Takes(); got != q.name {
			t.Errorf("help units calls %q what other pages call %q", q.name, got)
		}
		for _, example := range strings.Fields(q.examples) {
			if _, err := scenarios.Options([]catalog.Field{field}, map[string]string{"x": example}); err != nil {
				t.Errorf("help units: %s %s: %v", q.name, example, err)
			}
		}
	}
}

// TestFactsOfFields checks that the page of scenarios puts the facts of a field beside its
// name, and nothing beside the name of one without facts.
func TestFactsOfFields(t *testing.T) {
	var w strings.Builder
	fieldList(&w, "Fields", []catalog.Field{
		{Name: "count", Kind: catalog.Int, Default: "1"}, {Name: "time", Kind: catalog.Duration, Required: true}, {Name: "rows", Kind: catalog.Dependent},
	})
	for _, want := range []string{"\n  count (whole number; default 1)\n", "\n  time (duration; required)\n", "\n  rows\n"} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("no line %q in\n%s", want, &w)
		}
	}
}
