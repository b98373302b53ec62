package sim_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// total returns the sum of a metric over the replications of a row.
func total(t simtest.T, d *results.Document, row, metric string) (n float64) {
	t.Helper()
	for _, x := range simtest.Summary(t, d, "s", row, metric).Values {
		n += *x
	}
	return n
}

// The best fixed limit is the best of those tried, when they run one by one; the
// row is that of a fixed limit as anybody writes it, and what others lose against it is the
// sum of their refusals and their late answers.
func TestBestFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers, service := rapid.IntRange(1, 3).Draw(t, "servers"), rapid.IntRange(10, 30).Draw(t, "service")
		clients := rapid.IntRange(1, 2).Draw(t, "clients")
		most := max(1, int(math.Round(2*float64(servers)*60/float64(service))))
		text := "version: 1\nduration: 3s\nreplications: 3\nalgorithms:\n"
		names := "token-bucket, aimd"
		for limit := 1; limit <= most; limit++ {
			text += fmt.Sprintf("  at-%d: {preset: fixed-concurrency, limit: %d}\n", limit, limit)
			names += fmt.Sprintf(", at-%d", limit)
		}
		text += fmt.Sprintf(`
scenarios:
  - name: s
    seed: %d
    policy: {limit: 1000/s, shared: true}
    topology: {clients: %d}
    traffic: [{pattern: poisson, rate: %d/s, spread: random}]
    guard: {concurrency: %d, service_time: {exponential: {mean: %dms}}, deadline: 60ms, slow: [{from: 1s, to: 1500ms, factor: 3}]}
    algorithms: [%s]
`, rapid.Uint64Range(1, 99).Draw(t, "seed"), clients, rapid.IntRange(20, 500).Draw(t, "rate"), servers, service, names)
		d, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		if err != nil {
			t.Fatal(err)
		}
		best, good := int64(0), -1.0
		b := d.Scenarios[0].BestFixed
		for _, point := range b.Grid {
			if n := total(t, d, fmt.Sprintf("at-%d", point[0]), "good_answers"); n > good {
				best, good = point[0], n
			}
		}
		if b.Limit != best || len(b.Grid) < min(most, 7) {
			t.Fatalf("best limit %d of %v, want %d with %v good answers", b.Limit, b.Grid, best, good)
		}
		for _, point := range b.Grid {
			if n := total(t, d, fmt.Sprintf("at-%d", point[0]), "good_answers"); n != float64(point[1]) {
				t.Errorf("limit %d has %v good answers, want %v", point[0], point[1], n)
			}
			if within := 100*float64(point[1]) >= 99*good; !within && point[0] >= b.Within1Pct[0] && point[0] <= b.Within1Pct[1] {
				t.Errorf("limit %d has %d good answers, and is not within 1 %%", point[0], point[1])
			}
		}
		for _, metric := range []string{"rejected_requests", "late_answers", "limit_mean", "good_answers"} {
			if got, want := total(t, d, results.BestFixed, metric), total(t, d, fmt.Sprintf("at-%d", best), metric); got != want {
				t.Errorf("%s of best-fixed is %v, of the same limit %v", metric, got, want)
			}
		}
		for _, row := range []string{"reference", results.BestFixed, "token-bucket", "aimd"} {
			sum := func(metric string) (n float64) {
				for _, x := range simtest.Summary(t, d, "s", row, metric).Numerators {
					n += x
				}
				return n / 100
			}
			lost, refused, late := sum("goodput_lost_pct"), sum("refused_excess_pct"), sum("late_excess_pct")
			if want := good - total(t, d, row, "good_answers"); lost != want || lost != refused+late {
				t.Errorf("%s loses %v, %v by refusals and %v by late answers, want %v", row, lost, refused, late, want)
			}
			if want := total(t, d, row, "rejected_requests") - total(t, d, results.BestFixed, "rejected_requests"); refused != want {
				t.Errorf("%s refuses %v more, want %v", row, refused, want)
			}
		}
	})
}

// A replication that runs alone is compared with the same limit, and has the same figures.
func TestBestFixedOfOneReplication(t *testing.T) {
	file := simtest.Load(t, `
version: 1
duration: 5s
replications: 6
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: 300/s}]
    guard: {concurrency: 2, service_time: {exponential: {mean: 10ms}}, deadline: 60ms}
    algorithms: [token-bucket, aimd]
`)
	whole, err := sim.Run(context.Background(), file, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for only := 1; only <= 6; only++ {
		one, err := sim.Run(context.Background(), file, sim.Options{Only: only})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := one.Scenarios[0].BestFixed, whole.Scenarios[0].BestFixed; got.Limit != want.Limit || !slices.Equal(got.Grid, want.Grid) {
			t.Errorf("replication %d: %+v, want %+v", only, got, want)
		}
		for _, row := range []string{results.BestFixed, "token-bucket", "aimd"} {
			for _, metric := range []string{"good_answers", "goodput_lost_pct"} {
				got, want := *simtest.Summary(t, one, "s", row, metric).Values[0], *simtest.Summary(t, whole, "s", row, metric).Values[only-1]
				if got != want {
					t.Errorf("replication %d: %s of %s is %v alone, and %v of all", only, metric, row, got, want)
				}
			}
		}
	}
}

// Without a deadline there is no best limit, and with one that nothing can meet it is 1.
func TestBestFixedOfNothing(t *testing.T) {
	for guard, want := range map[string]int64{"": 0, ", deadline: 1ms": 1} {
		d, err := sim.Run(context.Background(), simtest.Load(t, fmt.Sprintf(`
version: 1
duration: 2s
scenarios:
  - name: s
    policy: {limit: 10/s, shared: true}
    traffic: [{pattern: constant, rate: 20/s}]
    guard: {concurrency: 2, service_time: 20ms%s}
    algorithms: [token-bucket]
`, guard)), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b := d.Scenarios[0].BestFixed; (b == nil) != (want == 0) || b != nil && b.Limit != want {
			t.Errorf("guard with %q: %+v, want %d", guard, b, want)
		}
	}
}

// Where most services are too long, a limit below the number of servers is not the best.
func TestBestFixedOfShortServices(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: 400/s}]
    guard: {concurrency: 8, service_time: {exponential: {mean: 20ms}}, deadline: 2ms}
    algorithms: [token-bucket]
`)
	if b := d.Scenarios[0].BestFixed; b.Limit < 7 || b.Theory != 8 {
		t.Errorf("best of 8 servers: %d, theory %d", b.Limit, b.Theory)
	}
}

// Under several policies there is no best limit, and its figures say why.
func TestNoBestFixedUnderPolicies(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 5s
policies: {a: {limit: 30/s}, b: {limit: 40/s, shared: true}}
scenarios:
  - name: s
    policies: [a, b]
    traffic: [{pattern: constant, rate: 50/s}]
    guard: {concurrency: 2, service_time: 10ms, deadline: 100ms}
    algorithms: [token-bucket]
`)
	for _, r := range d.Results {
		if why := r.Metrics["goodput_lost_pct"].Reason; !strings.Contains(why, "requests in flight are counted at a client") {
			t.Errorf("%s has no data because %q", r.Algorithm, why)
		}
	}
	if b := d.Scenarios[0].BestFixed; b != nil {
		t.Errorf("the best limit is %+v", b)
	}
}

// Limits under which refused workers call again at one instant are not the best, and do not
// end the run.
func TestBestFixedWithWorkers(t *testing.T) {
	const text = `
version: 1
duration: 10s
scenarios:
  - name: s
    policy: {limit: 1000/s, burst: 1000}
    guard: {concurrency: 2, service_time: 100ms, deadline: 1s}
    traffic: [{pattern: workers, count: %d, answer: 1s}]
    algorithms: [token-bucket]
`
	for count, want := range map[int]int64{8: 8, 200: 0} { // workers; up to 40 calls are tried
		d := simtest.Run(t, fmt.Sprintf(text, count))
		switch b := d.Scenarios[0].BestFixed; {
		case want == 0 && b != nil:
			t.Errorf("%d workers: the best limit is %d, and workers can live with none", count, b.Limit)
		case want > 0 && (b == nil || b.Limit != want):
			t.Errorf("%d workers: the best limit is %v, want %d", count, b, want)
		}
	}
}

// A row has to recover from demand that an entry of the traffic adds for a while, as from a
// step of a rate, but not from demand that is there from the start to the end.
func TestRecoversFromEntries(t *testing.T) {
	for traffic, want := range map[string]string{
		"{pattern: poisson, rate: 100/s}": "none",
		"{pattern: poisson, rate: 100/s}, {pattern: poisson, rate: 500/s, from: 4s, to: 6s}":  "long",
		"{pattern: poisson, rate: 100/s}, {pattern: poisson, rate: 1/min, from: 4s}":          "short",
		"{pattern: spike, rate: 100/s, peak: 600/s, at: 4s, for: 2s, arrivals: poisson}":      "long",
		"{pattern: poisson, rate: 100/s, to: 16s}, {pattern: poisson, rate: 100/s, from: 0s}": "none",
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 16s
replications: 2
algorithms: {fixed: {preset: fixed-concurrency, limit: 200}}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [%s]
    guard: {concurrency: 8, service_time: {exponential: {mean: 20ms}}, deadline: 100ms}
    algorithms: [fixed]
`, traffic))
		m := d.Results[len(d.Results)-1].Metrics["recover_s"]
		got := "none"
		if m.Mean != nil {
			got = map[bool]string{true: "short", false: "long"}[*m.Mean < 0.5]
		}
		if got != want {
			t.Errorf("%s: %s (%s), want %s", traffic, got, m.Reason, want)
		}
	}
}
