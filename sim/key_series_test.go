package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// withKeys is a random scenario in which some requests wait and some are retried.
const withKeys = `
version: 1
duration: 5s
seed: 3
replications: 3
policies:
  minute: {limit: 10/s}
  all: {limit: 100/s, shared: true}
scenarios:
  - name: tenants
    policy: {limit: 20/s, burst: 5, per: tenant}
    topology: {clients: 4, network: 5ms}
    warmup: 1s
    retries: {attempts: 2, backoff: {constant: {time: 50ms}}}
    traffic:
      - {name: many, pattern: poisson, rate: 400/s, keys: {uniform: {count: 20}}}
      - {name: loud, pattern: poisson, rate: 90/s, key: loud}
    algorithms: [fixed-window, leaky-bucket, local-full, batch-reported]
  - name: policies
    policies: [minute, all]
    traffic:
      - {name: many, pattern: poisson, rate: 300/s, descriptors: {minute: {keys: {zipf: {count: 9}}}, all: {}}}
    algorithms: [token-bucket, batch-reported]
  - name: one key
    policy: {limit: 20/s}
    traffic: [{pattern: constant, rate: 60/s, key: loud}]
    algorithms: [token-bucket]
  - name: nobody is over
    policy: {limit: 50/s, per: tenant}
    traffic:
      - {name: quiet, pattern: constant, rate: 10/s, key: quiet}
      - {name: busy, pattern: constant, rate: 60/s, key: busy}
    algorithms: [fixed-window]
`

// TestKeySeries checks the series of single keys against the log of decisions,
// and which keys have one.
func TestKeySeries(t *testing.T) {
	type cell struct {
		scenario, algorithm, key string
		bin                      int64
	}
	type cost struct{ offered, admitted int64 }
	logged := map[cell]cost{}
	bins := map[string]results.Scenario{}
	for _, s := range simtest.Run(t, withKeys).Scenarios {
		bins[s.Name] = s
	}
	add := func(d *sim.Decision, at int64, c cost) {
		s := bins[d.Scenario]
		if at < s.StartNs || at >= s.EndNs {
			return
		}
		keys := d.Keys
		if len(keys) == 0 {
			keys = []string{d.Key}
		}
		for _, key := range keys {
			i := cell{d.Scenario, d.Algorithm, key, (at - s.StartNs) / 1e7}
			logged[i] = cost{logged[i].offered + c.offered, logged[i].admitted + c.admitted}
		}
	}
	d := simtest.RunWith(t, withKeys, sim.Options{WorstKey: true, Keys: []string{"loud", "minute/key-3", "loud"},
		Details: sim.Details{Decisions: func(d *sim.Decision) error {
			add(d, d.ArrivalNs, cost{offered: d.Cost})
			if d.DispatchedNs >= 0 {
				add(d, d.DispatchedNs, cost{admitted: d.Cost})
			}
			return nil
		}}})
	var chosen []string
	for _, s := range d.KeySeries {
		if text := fmt.Sprintf("%s: %s, %s %s", s.Scenario, s.Key, s.Why, s.WorstOf); !slices.Contains(chosen, text) {
			chosen = append(chosen, text)
		}
		if s.BinNs != 1e7 || s.LimitPerBin != bins[s.Scenario].Policy.RatePerS/100 && s.Scenario != "policies" {
			t.Errorf("%s, %s: bins of %d ns, limit %v", s.Scenario, s.Key, s.BinNs, s.LimitPerBin)
		}
		for i := range s.Offered {
			want := logged[cell{s.Scenario, s.Algorithm, s.Key, int64(i)}]
			if s.Offered[i] != want.offered || s.Admitted[i] != want.admitted {
				t.Fatalf("%s, %s, %s: %d of %d in bin %d, want %+v", s.Scenario, s.Algorithm, s.Key, s.Admitted[i], s.Offered[i], i, want)
			}
		}
	}
	want := []string{
		"tenants: loud, worst local-full", "policies: minute/key-0, worst batch-reported", "policies: minute/key-3, named ",
		"one key: loud, named ", "nobody is over: busy, busiest ",
	}
	if diff := cmp.Diff(want, chosen); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	for _, r := range d.Results {
		if r.Scenario == "tenants" && r.Algorithm == "local-full" && r.WorstKey != "loud" {
			t.Errorf("the worst key of the row is %q", r.WorstKey)
		}
	}
}

// TestKeySeriesBesideBestFixed checks that the best fixed limit, which has no key that is the
// worst, does not keep the worst of others from being followed.
func TestKeySeriesBesideBestFixed(t *testing.T) {
	d := simtest.RunWith(t, `
version: 1
duration: 6s
scenarios:
  - name: s
    policy: {limit: 2/s}
    traffic: [{pattern: constant, rate: 9/s, keys: {uniform: 3}}]
    guard: {concurrency: 1, service_time: 10ms, deadline: 60ms}
    algorithms: [fixed-window]
`, sim.Options{WorstKey: true})
	if len(d.KeySeries) == 0 {
		t.Error("no key is followed")
	}
}

// TestUnknownKey checks that a name that no scenario has ends a run before it
// starts, and that the error names similar keys.
func TestUnknownKey(t *testing.T) {
	_, err := sim.Run(context.Background(), simtest.Load(t, withKeys), sim.Options{Keys: []string{"loud", "bussy"}})
	unknown, ok := errors.AsType[*sim.UnknownKey](err)
	if want := `no scenario has a key called "bussy" (did you mean "busy"?)`; !ok || unknown.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
