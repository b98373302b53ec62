package sim_test

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestUntil checks that replications are added until every requested interval is
// narrow enough or the maximum is reached, and that earlier replications do not
// change.
func TestUntil(t *testing.T) {
	const text = `
version: 1
duration: 2s
replications: 4
scenarios:
  - name: noisy
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 5}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [batch-reported]
  - name: exact
    policy: {limit: 100/s, burst: 10}
    traffic: [{pattern: constant, rate: 300/s}]
    algorithms: [token-bucket]
`
	run := func(u *sim.Until) *sim.Until {
		t.Helper()
		d, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Until: u})
		if err != nil {
			t.Fatal(err)
		}
		plain := simtest.Run(t, text)
		for i, r := range d.Results {
			if r.Exact {
				if r.Replications != 1 {
					t.Errorf("%s, %s: %d replications of an exact row", r.Scenario, r.Algorithm, r.Replications)
				}
				continue
			}
			s := r.Metrics["over_limit_pct"]
			before := plain.Results[i].Metrics["over_limit_pct"]
			for k, v := range before.Values {
				if *v != *s.Values[k] {
					t.Errorf("%s: replication %d changed from %v to %v", r.Algorithm, k, *v, *s.Values[k])
				}
			}
			narrow := *s.Hi-*s.Mean <= u.Width*max(*s.Mean, 1)
			if !narrow && r.Replications != u.Most || r.Replications > u.Most {
				t.Errorf("%s: %v to %v with %d replications of at most %d", r.Algorithm, *s.Lo, *s.Hi, r.Replications, u.Most)
			}
		}
		return u
	}
	run(&sim.Until{Width: 0.1, Most: 1000, Figures: []string{"over_limit_pct"}})
	run(&sim.Until{Width: 0.0001, Most: 21, Figures: []string{"over_limit_pct"}})
}

// TestOnlyOneReplication checks that a replication that runs alone has the same
// values as among all.
func TestOnlyOneReplication(t *testing.T) {
	const text = `
version: 1
duration: 1s
replications: 3
scenarios:
  - name: fleet
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 5, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    guard: {concurrency: 2, service_time: {exponential: {mean: 10ms}}}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [batch-reported, rover-capped]
    metrics: full
`
	all := simtest.Run(t, text)
	for only := 1; only <= 3; only++ {
		d, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Only: only})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range d.Results {
			for name, s := range r.Metrics {
				want := all.Results[i].Metrics[name].Values[only-1]
				if got := s.Values[0]; (got == nil) != (want == nil) || got != nil && *got != *want {
					t.Errorf("replication %d alone: %s %s is not what it is among all", only, r.Algorithm, name)
				}
			}
		}
	}
}
