package baseline

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
)

// A plan finds every figure of the planned scenarios unchanged, and those alone.
func TestPlan(t *testing.T) {
	base := run(rand.New(rand.NewPCG(1, 1)), 3, 20)
	for _, name := range []string{"a", "c"} {
		c, err := Plan(base, []Planned{{name, 15}, {"new", 15}}, Options{Registry: registry})
		if err != nil || len(c.Cells) != 9 || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], `"new" is not in the baseline`) {
			t.Fatalf("%d cells, notes %q, %v", len(c.Cells), c.Notes, err)
		}
		for _, cell := range c.Cells {
			if cell.Scenario != name || cell.Status != gate.Unchanged {
				t.Errorf("%s, %s, %s: %v, %s", cell.Scenario, cell.Algorithm, cell.Metric.Name, cell.Status, cell.Reason)
			}
		}
	}
	if _, err := Plan(base, []Planned{{"new", 15}}, Options{Registry: registry}); err == nil {
		t.Error("a plan of nothing")
	}
}
