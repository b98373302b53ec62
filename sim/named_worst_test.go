package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
)

// TestNamedWorst checks how often a key must be the worst to have a name.
func TestNamedWorst(t *testing.T) {
	for _, c := range []struct {
		times, trials int
		among         int64
		equal         float64
		exact, named  bool
	}{
		{2, 10, 200, 1, false, false}, // in 22 % of the cases some key is
		{3, 10, 200, 1, false, true},  // in 0.3 %
		{9, 10, 2, 1, false, false},
		{10, 10, 2, 1, false, true},
		{3, 3, 2, 1, false, false},
		{3, 3, 2, 0.005, false, true},
		{2, 3, 2, 0.005, false, false},
		{1, 1, 200, 0.005, false, true},
		{1, 1, 200, 0.02, false, false},
		{1, 1, 200, -1, false, false},
		{1, 1, 200, -1, true, true},
		{1, 1, 200, 0, true, true},
		{1, 1, 200, 1, true, false},
		{0, 1, 200, 1, true, false},
	} {
		var trials []*measured
		for i := range c.trials {
			w := worstKey{name: fmt.Sprint("other ", i), WorstKey: measure.WorstKey{Among: c.among, Equal: c.equal}}
			if i < c.times {
				w.name = "worst"
			} else if c.times == 0 {
				w.name = ""
			}
			trials = append(trials, &measured{worst: w})
		}
		if got := (row{random: !c.exact}).namedWorst(trials); (got != "") != c.named {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got, want := atLeast(3, 10, 0.25), 0.4744071960449219; math.Abs(got-want) > 1e-12 {
		t.Errorf("atLeast(3, 10, 0.25) = %v, want %v", got, want)
	}
}
