package settlement_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestPredictions compares the closed forms that explain prints with simulations. A
// prediction may be off by 1 % of the limit and a tenth of the excess.
func TestPredictions(t *testing.T) {
	for _, c := range []struct {
		settle, pattern, cost, answer string
		options                       string
		predicted                     bool
	}{
		{"none", "poisson", "{estimate: 500, actual: 800}", "1s", "", true},
		{"none", "poisson", "{estimate: 500, actual: {exponential: {mean: 800, max: 4096}}}", "1s", "", true},
		{"none", "poisson", "{estimate: 100, actual: {uniform: {min: 1, max: 1600}}}", "1s", "", true},
		{"none", "poisson", "{estimate: 800, actual: 800}", "1s", "", false},
		{"none", "poisson", "{estimate: 500, actual: 800}", "1s", "counter: gcra", false},
		{"check-then-deduct", "constant", "{estimate: 1, actual: 800}", "3s", "", true},
		{"check-then-deduct", "poisson", "{estimate: 1, actual: {uniform: {min: 1, max: 1600}}}", "{exponential: {p99: 9s}}", "", true},
		{"check-then-deduct", "poisson", "{estimate: 1, actual: {exponential: {mean: 800, max: 4096}}}", "6s", "", true},
		{"check-then-deduct", "poisson", "{estimate: 1, actual: 800}", "20s", "", false},
		{"check-then-deduct", "poisson", "{estimate: 1, actual: 800}", "{lognormal: {p50: 2s, p99: 10s}}", "", true},
		{"check-then-deduct", "poisson", "{estimate: 1, actual: 800}", "3s", "counter: fixed-window, settlement_debt: false", false},
		{"deduct-estimate-then-settle", "poisson", "{estimate: 300, actual: {uniform: {min: 300, max: 1300}}}", "6s", "", true},
		{"deduct-estimate-then-settle", "constant", "{estimate: 500, actual: 800}", "9s", "", true},
		{"deduct-estimate-then-settle", "poisson", "{estimate: 500, actual: {uniform: {min: 300, max: 1300}}}", "6s", "", false},
		{"reserve-maximum-then-refund", "poisson", "{estimate: 500, actual: {uniform: {min: 1, max: 1600}}}", "6s", "", true},
		{"reserve-maximum-then-refund", "poisson", "{estimate: 500, actual: 800}", "6s", "counter: fixed-window, expires_after: 1s", false},
		{"reserve-quantile-then-settle", "poisson", "{estimate: 500, actual: 800}", "6s", "", false},
	} {
		name := fmt.Sprintf("%s, %s, %s, %s", c.settle, c.pattern, c.cost, c.answer)
		text := fmt.Sprintf(`
version: 1
duration: 33min
warmup: 3min
replications: 3
algorithms:
  tested: {enforcement: central, settle: %s, %s}
scenarios:
  - name: steady
    policy: {limit: 480000/min, reference: fixed-window}
    traffic: [{pattern: %s, rate: 20/s, cost: %s, answer: %s}]
    algorithms: [tested]
`, c.settle, cmp.Or(c.options, "counter: fixed-window"), c.pattern, c.cost, c.answer)
		p := limiters.Predict(&simtest.Load(t, text).Scenarios[0]).OverLimit
		if (p.Formula != "") != c.predicted {
			t.Errorf("%s: predicted %q: %s", name, p.Formula, p.Why)
			continue
		}
		if p.Formula == "" {
			continue
		}
		got := simtest.Mean(t, simtest.Run(t, text), "steady", "tested", "over_limit_pct") / 100
		t.Logf("%s: predicted %.4f, simulated %.4f", name, p.Value, got)
		if math.Abs(got-p.Value) > 0.01+p.Value/10 {
			t.Errorf("%s: predicted %.4f, simulated %.4f", name, p.Value, got)
		}
	}
}
