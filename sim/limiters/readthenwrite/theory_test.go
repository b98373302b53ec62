package readthenwrite_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/limiters/readthenwrite"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

const poisson = `
version: 1
duration: %ds
replications: 10
metrics: full
algorithms:
  tested: {%s}
scenarios:
  - name: race
    policy: {limit: %d/s}
    topology: {clients: 8, network: %s}
    traffic: [{pattern: poisson, rate: %d/s, cost: %d}]
    algorithms: [tested]
`

// TestClosedForms compares what a window admits under Poisson arrivals with
// n + r*tau and n*(1 + r*tau), for constant and random race windows, and with the
// prediction that explain prints.
func TestClosedForms(t *testing.T) {
	for _, c := range []struct {
		options, network string
		limit, rate      int
		cost             int
		want             float64 // admitted cost of a window
		within           float64 // share of the excess
	}{
		{"preset: read-then-increment, client_time: 10ms", "2ms", 100, 500, 1, 100 + 500*0.012, 0.03},
		{"preset: read-then-increment, client_time: {exponential: {mean: 10ms}}", "2ms", 100, 500, 1, 100 + 500*0.012, 0.03},
		{"preset: read-then-increment, timeout: 0s", "{exponential: {p99: 20ms}}", 100, 500, 1, 100 + 500*0.020/math.Log(100), 0.03},
		{"preset: async-increment, client_time: 4ms", "2ms", 100, 1000, 1, 100 + 1000*0.006, 0.03},
		{"preset: async-increment, client_time: 4ms", "2ms", 500, 1000, 5, 500 + 5*1000*0.006, 0.03},
		{"preset: read-then-set, client_time: 480us", "100us", 100, 300, 1, 100 * (1 + 300*0.00058), 0.02},
		{"preset: read-then-set, client_time: {exponential: {mean: 480us}}", "100us", 100, 300, 1, 100 * (1 + 300*0.00058), 0.02},
		{"preset: read-then-set, client_time: 1ms", "1ms", 100, 800, 1, 100 * (1 + 800*0.002), 0.02},
		{"preset: read-then-set, client_time: {exponential: {mean: 1ms}}", "1ms", 200, 1200, 1, 200 * (1 + 1200*0.002), 0.02},
		{"preset: read-then-set, client_time: 1ms", "1ms", 400, 800, 4, 400 * (1 + 800*0.002), 0.02},
	} {
		name := fmt.Sprintf("%s over %s, %d/s on %d/s, cost %d", c.options, c.network, c.rate, c.limit, c.cost)
		text := fmt.Sprintf(poisson, 100, c.options, c.limit, c.network, c.rate, c.cost)
		d := simtest.Run(t, text)
		got := simtest.Mean(t, d, "race", "tested", "admitted_over_limit") * float64(c.limit)
		if excess := c.want - float64(c.limit); math.Abs(got-c.want) > c.within*excess {
			t.Errorf("%s: a window admits %.2f, want %.2f", name, got, c.want)
		}
		p := readthenwrite.Limiter.Predict(&simtest.Load(t, text).Scenarios[0])
		compare := func(metric string, p catalog.Predicted, scale, within float64) {
			if got := simtest.Mean(t, d, "race", "tested", metric) / scale; p.Formula == "" || math.Abs(got-p.Value) > within {
				t.Errorf("%s: %s is %.4f, predicted %.4f by %q (%s)", name, metric, got, p.Value, p.Formula, p.Why)
			}
		}
		over := p.OverLimit.Value
		compare("over_limit_pct", p.OverLimit, 100, 0.01+0.1*over)
		compare("admitted_over_limit", p.LongRun, 1, 0.01+0.1*over)
		compare("window_error_sd_pct", p.Noise, 100, 0.05*p.Noise.Value+0.001)
	}
}

// TestNoClosedForm checks that explain prints none where none holds.
func TestNoClosedForm(t *testing.T) {
	for _, c := range []struct {
		options, network string
		rate             int
	}{
		{"preset: read-then-set-bucket", "1ms", 500},
		{"preset: read-then-set, client_time: 1ms", "100ms", 500},                             // calls time out
		{"preset: read-then-set, client_time: 10ms", "1ms", 150},                              // no window fills
		{"preset: read-then-increment, client_time: 300ms", "1ms", 500},                       // full before its first write
		{"preset: read-then-increment, client_time: {exponential: {mean: 50ms}}", "1ms", 500}, // the same, for some windows
		{"preset: read-then-set, count_rejected: true, client_time: 1ms", "1ms", 90},          // below the limit
		{"enforcement: read-then-write, counter: first-hit-window, write: increment", "1ms", 500},
	} {
		f := simtest.Load(t, fmt.Sprintf(poisson, 10, c.options, 100, c.network, c.rate, 1))
		if p := readthenwrite.Limiter.Predict(&f.Scenarios[0]); p.OverLimit.Formula != "" || p.OverLimit.Why == "" {
			t.Errorf("%s over %s at %d/s: predicted %+v", c.options, c.network, c.rate, p.OverLimit)
		}
	}
}

// TestLiveFigure checks that a race window of 0.58 ms, of which 0.1 ms are the round
// trip, gives what a loop of GET and SET on a real Redis admitted at 300/s on 100/s:
// 112 to 124 in a window, 117.4 in the mean. The round trip alone gives 103.
func TestLiveFigure(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 200s
replications: 10
metrics: full
algorithms:
  all: {preset: read-then-set, client_time: 480us}
  round trip: {preset: read-then-set}
scenarios:
  - name: live
    policy: {limit: 100/s}
    topology: {clients: 8, network: 100us}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [all, round trip]
`)
	simtest.Between(t, d, "live", "all", "admitted_over_limit", 1.170, 1.178)
	simtest.Between(t, d, "live", "round trip", "admitted_over_limit", 1.028, 1.032)
}

// TestOneClientAtATimeIsExact checks that without a race window nothing exceeds the
// limit, and that the recipe decides as the counter does.
func TestOneClientAtATimeIsExact(t *testing.T) {
	for _, counter := range []string{"fixed-window", "first-hit-window", "token-bucket"} {
		rows := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
algorithms:
  recipe: {enforcement: read-then-write, counter: %s}
  exact:  {enforcement: central, counter: %[1]s}
scenarios:
  - name: atomic
    policy: {limit: 100/s, burst: 7}
    traffic: [{pattern: poisson, rate: 300/s, keys: {uniform: 3}, cost: {uniform: {max: 4}}}]
    faults: [{policy-change: {from: 8s, to: 15s, factor: 0.5}}]
    algorithms: [recipe, exact]
`, counter))
		for i, want := range rows["exact"] {
			if got := rows["recipe"][i]; got.Verdict != want.Verdict || *got.Level != *want.Level {
				t.Fatalf("%s: decision %d is %s at a level of %d, want %s at %d", counter, i, got.Verdict, *got.Level, want.Verdict, *want.Level)
			}
		}
	}
}
