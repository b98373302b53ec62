package report

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// shape describes a synthetic scenario for plots: the numbers of algorithms,
// bins and tenants, and the offered cost over time.
type shape struct {
	name       string
	algorithms int
	tenants    int
	guarded    bool
	start, bin int64
	bins       int
	limit      float64 // per second
	offered    func(i int) float64
}

var algorithmNames = []string{
	"reference", "fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra",
	"batch-reported", "rejection-rate", "rejection-rate-local-limiter", "batch-reported-debt-100ms-staggered",
	"rover", "rover-capped", "leaky-bucket", "local-share",
}

func plotShapes() []shape {
	day := int64(86400e9)
	return []shape{
		{name: "steady 3x", algorithms: 9, tenants: 1, bin: 100e6, bins: 600, limit: 1000, offered: func(int) float64 { return 3000 }},
		{name: "step x10", algorithms: 5, tenants: 1, bin: 50e6, bins: 600, limit: 1000, offered: func(i int) float64 {
			if i < 200 {
				return 500
			}
			return 5000
		}},
		{name: "one hot tenant, 40 tenants", algorithms: 7, tenants: 40, bin: 200e6, bins: 300, limit: 1000, offered: func(i int) float64 { return 1800 + 600*math.Sin(float64(i)/20) }},
		{name: "guarded backend", algorithms: 3, tenants: 2, guarded: true, bin: 100e6, bins: 600, limit: 1000, offered: func(int) float64 { return 1500 }},
		{name: "many keys", algorithms: 2, tenants: 3, bin: 10e6, bins: 1500, limit: 1e6, offered: func(int) float64 { return 20000 }},
		{name: "recorded", algorithms: 14, tenants: 12, start: 1700000000e9 / day * day, bin: 9 * day / 500, bins: 500, limit: 0.05, offered: func(i int) float64 {
			return 0.04 + 0.03*math.Sin(2*math.Pi*float64(i)*9/500)
		}},
	}
}

// plotted returns a document of these shapes. The same shapes give the same
// document.
func plotted(shapes ...shape) *results.Document {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &results.Document{SchemaVersion: results.SchemaVersion}
	for _, sh := range shapes {
		d.Scenarios = append(d.Scenarios, results.Scenario{
			Name: sh.name, Seed: 1, StartNs: sh.start, EndNs: sh.start + int64(sh.bins)*sh.bin,
			Policy: results.Policy{Name: "p", Limit: 1000, WindowNs: 1e9, Text: "1000/s, burst 50", RatePerS: sh.limit, Per: "workspace"},
		})
		for a := range sh.algorithms {
			sh.addAlgorithm(d, rng, a)
		}
	}
	return d
}

func (sh shape) addAlgorithm(d *results.Document, rng *rand.Rand, a int) {
	name := algorithmNames[a]
	seconds := float64(sh.bin) / 1e9
	over := float64(a) * 3
	series := results.Series{Scenario: sh.name, Algorithm: name, StartNs: sh.start, BinNs: sh.bin, LimitPerBin: sh.limit * seconds}
	for i := range sh.bins {
		offered := sh.offered(i) * seconds * (0.9 + 0.2*rng.Float64())
		cap := series.LimitPerBin * (1 + over/100*rng.Float64()*4)
		if a%3 == 1 && i%10 < 4 { // an overshoot followed by a pause
			cap *= 2
		} else if a%3 == 1 {
			cap *= 0.3
		}
		series.Offered = append(series.Offered, int64(offered))
		series.Admitted = append(series.Admitted, int64(min(offered, cap)))
		if sh.guarded {
			load := 50 + 20*rng.Float64()
			if i > 250 && i < 400 && a != 2 {
				load = 400 * (1 + rng.Float64())
			}
			series.Inflight = append(series.Inflight, int64(load))
		}
	}
	d.Series = append(d.Series, series)

	metrics := map[string]results.Summary{
		"over_limit_pct":      resultstest.Interval(over, max(0, over-1.5), over+1.5, 20),
		"burst_excess":        resultstest.Interval(over*over*10, over*over*9, over*over*11, 20),
		"over_admission_pct":  resultstest.Interval(over, over-over/20, over+over/20, 20),
		"under_admission_pct": resultstest.Interval(20-over/2, 19-over/2, 21-over/2, 20),
	}
	if a == 0 {
		metrics["burst_excess"], metrics["under_admission_pct"] = resultstest.Interval(0, 0, 0, 20), resultstest.Interval(0, 0, 0, 20)
	}
	if a == 3 {
		metrics["over_limit_pct"] = resultstest.NoData("no window was saturated", 20)
	}
	d.Results = append(d.Results, results.Result{Scenario: sh.name, Policy: "p", Algorithm: name, Reference: a == 0, Replications: 20, Metrics: metrics})

	shares := results.Shares{Scenario: sh.name, Algorithm: name}
	for t := range sh.tenants {
		demand := 2000 / (1 + float64(t))
		if t == 0 {
			demand = 40000
		}
		fair := min(demand, 1000)
		shares.Tenants = append(shares.Tenants, results.Share{
			Tenant: fmt.Sprintf("tenant-%d", t), Offered: int64(demand), Admitted: int64(fair * (0.6 + 0.5*rng.Float64())), Fair: fair,
		})
	}
	d.Shares = append(d.Shares, shares)

	decisions := results.Histogram{Scenario: sh.name, Algorithm: name, Name: "decision_latency", Unit: "ns"}
	waits := results.Histogram{Scenario: sh.name, Algorithm: name, Name: "wait", Unit: "ns"}
	if a < 2 {
		decisions.Buckets = []results.Bucket{{Lo: 0, Hi: 1, Count: 100000}}
	} else {
		decisions.Buckets = []results.Bucket{{Lo: 0, Hi: 1, Count: 20000}}
		for lo, n := 200e3*float64(a), 80000.0; n >= 1; lo, n = lo*1.25, n*0.6 {
			decisions.Buckets = append(decisions.Buckets, results.Bucket{Lo: int64(lo), Hi: int64(lo * 1.25), Count: int64(n)})
		}
	}
	waits.Buckets = decisions.Buckets
	d.Histograms = append(d.Histograms, decisions)
	if sh.guarded {
		d.Histograms = append(d.Histograms, waits)
	}
}
