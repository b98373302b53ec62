package cli

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// drawing generates settings: ordinary ones, and ones with extreme values, such
// as few requests, short windows, high latencies or low loads.
type drawing struct{ *rand.Rand }

func (d drawing) word(words ...string) string { return words[d.IntN(len(words))] }

func (d drawing) scenario() string {
	windows := map[string]float64{"s": 1, "200ms": 0.2, "2s": 2, "5s": 5}
	window := d.word("s", "s", "s", "s", "200ms", "2s", "5s")
	w := windows[window]
	limit := []int{10, 50, 100, 300, 1000, 1000, 1000, 2000}[d.IntN(8)] // requests
	if w > 1 {
		limit *= int(w)
	}
	k := []float64{1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2, 2.5, 3, 3, 3, 5, 10}[d.IntN(14)]
	rate := math.Ceil(float64(limit) / w * k)
	cost := []int{1, 1, 1, 5}[d.IntN(4)]
	options := d.word("batch-reported", "batch-reported", "batch-reported", "batch-reported, unknown: pessimistic",
		"rejection-rate-only", "rejection-rate-only", "rejection-rate-only, thinning: diffusion", "rejection-rate-only, thinning: diffusion", "rejection-rate-only, rate_ttl: 300ms",
		"batch-debt, burst: 0", "batch-debt, burst: 0", "batch-debt, burst: 0, order: refill-debit", "batch-debt, burst: 0, order: refill-debit",
		"batch-debt, burst: 0, report_loss: 50%", "batch-debt, burst: 0, report_loss: 10%", "batch-debt, burst: 0, report_loss: 30%, unknown: pessimistic",
		fmt.Sprintf("batch-debt, burst: %d", limit/10), fmt.Sprintf("batch-debt, burst: %d, order: refill-debit", limit/2))
	// The warm-up is rounded up to whole windows. At least ten windows follow.
	duration := w * (math.Ceil(3/w) + math.Ceil(max(10, min(10/w, 5000/rate/w))))
	return fmt.Sprintf(`version: 1
duration: %.0fms
replications: 3
algorithms:
  tested: {preset: %s, interval: %s, phase: %s}
scenarios:
  - name: drawn
    warmup: 3s
    policy: {limit: %d/%s}
    topology: {clients: %d, servers: 2, network: %s}
    traffic: [{pattern: %s, rate: %.0f/s, spread: %s, cost: %d}]
    algorithms: [tested]
`, 1000*duration, options,
		d.word("10ms", "20ms", "50ms", "100ms", "100ms", "100ms", "250ms", "300ms", "600ms", "1s", "2s"),
		d.word("aligned", "aligned", "staggered", "random", "random", "common-random"),
		limit*cost, window,
		[]int{1, 2, 5, 5, 10, 10, 20, 20, 20, 50, 200, 400}[d.IntN(12)],
		d.word("0s", "0s", "0s", "0s", "0s", "0s", "2ms", "10ms", "50ms", "200ms", "500ms",
			"{lognormal: {p50: 1ms, p99: 15ms}}", "{exponential: {p99: 50ms}}", "{lognormal: {p50: 5ms, p99: 400ms}}"),
		d.word("constant", "poisson"), rate, d.word("even", "even", "random"), cost)
}

// For any setting: if explain prints a number, the simulation agrees with it
// within 1 % of the limit plus a tenth of the excess over it, plus one
// interval's traffic for a bucket, plus the uncertainty of the replications.
// The test simulates a few settings of each combination of formulas.
func TestFormsHoldWhereTheyAreGiven(t *testing.T) {
	const settings, ofEach = 3000, 3
	a := &app{&terminal.Host{}}
	kinds, none := map[string]int{}, 0
	for seed := range uint64(settings) {
		text := drawing{rand.New(rand.NewPCG(seed, 0))}.scenario()
		f, problems := scenarios.Load("drawn", []byte(text), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatalf("setting %d: %v\n%s", seed, problems, text)
		}
		s := &f.Scenarios[0]
		p := limiters.Predict(s)
		for _, part := range []catalog.Predicted{p.OverLimit, p.LongRun, p.Noise} {
			if part.Formula == "" && part.Why == "" {
				t.Errorf("setting %d has neither a form nor a reason why not\n%s", seed, text)
			}
		}
		kind := p.OverLimit.Formula + ", " + p.LongRun.Formula + ", " + p.Noise.Formula
		if kind == ", , " {
			none++
			continue
		}
		if kinds[kind]++; kinds[kind] > ofEach {
			continue
		}
		row, err := simulated(context.Background(), a, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		span := float64(s.Duration-s.Warmup) / 1e9
		paid := 0.0
		if s.Algorithms[0].Counter == "token-bucket" {
			latency := theory.TimeOf(s.Topology.Network).Mean
			offered := s.Traffic[0].Options.Rate("rate").PerSecond() * float64(s.Traffic[0].Cost.Values.Int("value"))
			paid = offered / s.Policy.Limit.PerSecond() * (float64(s.Algorithms[0].Options.Duration("interval"))/1e9 + latency) / span
		}
		open := 2 * figureOf(row, "window_error_sd_pct").mean / 100 / math.Sqrt(3*span*1e9/float64(s.Policy.Limit.Per))
		for _, x := range []struct {
			metric       string
			p            catalog.Predicted
			scale        float64
			beyond, open float64
		}{
			{"over_limit_pct", p.OverLimit, 100, p.OverLimit.Value, open},
			{"admitted_over_limit", p.LongRun, 1, math.Abs(p.LongRun.Value - 1), open + paid},
			{"window_error_sd_pct", p.Noise, 100, p.Noise.Value, 0},
		} {
			if x.p.Formula == "" {
				continue
			}
			got := figureOf(row, x.metric)
			within := 0.01 + 0.1*x.beyond + max(x.open, got.half/x.scale)
			if off := math.Abs(got.mean/x.scale - x.p.Value); !(off <= within) {
				t.Errorf("setting %d: %s is %.4f, not %.4f by %s within %.4f\n%s", seed, x.metric, got.mean/x.scale, x.p.Value, x.p.Formula, within, text)
			}
		}
	}
	// A missing formula is never wrong, so the test also checks that formulas
	// are printed where they hold.
	if given := settings - none; len(kinds) < 20 || given < settings/8 {
		t.Errorf("%d of %d settings have a form, of %d kinds: %s", given, settings, len(kinds), strings.Join(slices.Sorted(maps.Keys(kinds)), "; "))
	}
}

// interval is a metric's mean and half of its confidence interval.
type interval struct{ mean, half float64 }

func figureOf(r results.Result, metric string) interval {
	m := r.Metrics[metric]
	switch {
	case m.Mean == nil:
		return interval{mean: math.NaN()}
	case m.Lo == nil || m.Hi == nil:
		return interval{mean: *m.Mean}
	}
	return interval{*m.Mean, (*m.Hi - *m.Lo) / 2}
}
