package rlqs_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestFirstInterval checks what a fleet admits before the server knows its demand. n
// clients subscribe one after the other, so client i is assigned 1/i of the limit
// until its next report. Before an answer arrives, everything is admitted, so with a
// rebalance every d the fleet admits all of the first d.
func TestFirstInterval(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 2s
algorithms:
  at-once:    {preset: envoy-quota, report_interval: 2s, phase: first-request}
  conserves:  {preset: envoy-quota, report_interval: 2s, phase: first-request, conserves: true}
  rebalanced: {preset: envoy-quota, report_interval: 2s, phase: first-request, rebalance: 500ms}
  denied:     {preset: envoy-quota, report_interval: 2s, phase: first-request, rebalance: 500ms, no_assignment: deny}
  limited:    {preset: envoy-quota, report_interval: 2s, phase: first-request, rebalance: 500ms, no_assignment: {limit: {rate: 300/s, burst: 10}}}
scenarios:
  - name: start
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 10}
    traffic: [{pattern: constant, rate: 100k/s}]
    algorithms: [at-once, conserves, rebalanced, denied, limited]
`)
	const harmonic = 1 + 1./2 + 1./3 + 1./4 + 1./5 + 1./6 + 1./7 + 1./8 + 1./9 + 1./10
	burst := 0. // of the clients' buckets: rounded up
	for i := 1; i <= 10; i++ {
		burst += float64((100 + i - 1) / i)
	}
	// The request by which a client subscribes is admitted too. The last token of each
	// bucket is complete after its last request only.
	simtest.About(t, d, "start", "at-once", "admitted_requests", 2*1000*harmonic+burst+10-10, 0.0005)
	simtest.About(t, d, "start", "conserves", "admitted_requests", 2*1000+100+10, 0.001)
	simtest.About(t, d, "start", "rebalanced", "admitted_requests", 100_000*0.5+1000*1.5+100, 0.001)
	simtest.Exactly(t, d, "start", "denied", "admitted_requests", 1000*1.5+100-10)
	simtest.Exactly(t, d, "start", "limited", "admitted_requests", 10*(300*0.5+10)-10+1000*1.5+100-10)
}

// TestStep checks the lag of a change of demand. All traffic moves from one client to
// the other as both report. The second client was assigned its least demand and an
// even part of the spare quota. It reports its demand an interval later, and
// has the answer a round trip later.
func TestStep(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
algorithms:
  shared: {preset: envoy-quota, report_interval: 2s, phase: aligned}
scenarios:
  - name: step
    warmup: 10s
    policy: {limit: 1000/s, burst: 2}
    topology: {clients: 2, network: 100ms}
    traffic:
      - {pattern: constant, rate: 900/s, to: 20s, spread: {skewed: {shares: [100%, 0%]}}}
      - {pattern: constant, rate: 900/s, from: 20s, spread: {skewed: {shares: [0%, 100%]}}}
      - {pattern: constant, rate: 1/s, spread: even}
    algorithms: [shared]
`)
	// The second client has 0.5/s and half of the spare 99.5/s for 2 s and half of 100 ms
	// more, until its report has arrived, and for 50 ms that its answer takes.
	simtest.About(t, d, "step", "shared", "admitted_requests", 20*901-2.1*(900-49.75), 0.002)
}

// TestAway checks what clients do while the service is away for longer than an
// assignment is active, which is 3 s here.
func TestAway(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 40s
algorithms:
  discard: {preset: envoy-quota, report_interval: 1s, phase: first-request}
  reuse:   {preset: envoy-quota, report_interval: 1s, phase: first-request, expired: reuse, forget: 60s}
  forgets: {preset: envoy-quota, report_interval: 1s, phase: first-request, expired: reuse}
  deny:    {preset: envoy-quota, report_interval: 1s, phase: first-request, expired: deny}
  after:   {preset: envoy-quota, report_interval: 1s, phase: first-request, expired: reuse, expired_for: 7s, no_assignment: deny}
scenarios:
  - name: away
    warmup: 10s
    policy: {limit: 1000/s, burst: 10}
    topology: {clients: 10, network: 10ms}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [discard, reuse, forgets, deny, after]
    faults: [{partition: {from: 15s, to: 35s, share: 100%}}]
`)
	// The last answers arrive at 14 s, as clients report a second after their first
	// requests: clients have them until 17 s. The server has forgotten all clients at 18 s,
	// so at 35 s they subscribe again one after the other: client i of 10 is assigned 1/i
	// of the limit for a second, of which it uses up to its 300/s.
	again := 0.
	for i := 1.; i <= 10; i++ {
		again += min(300, 1000/i) - 100
	}
	simtest.Exactly(t, d, "away", "reuse", "admitted_over_limit", 1)
	simtest.About(t, d, "away", "forgets", "admitted_requests", 30*1000+again, 0.001)
	simtest.About(t, d, "away", "deny", "admitted_requests", 12*1000+again, 0.01)
	simtest.About(t, d, "away", "discard", "admitted_requests", 12*1000+18*3000+again, 0.01)
	simtest.About(t, d, "away", "after", "admitted_requests", 19*1000+again, 0.01)
}

// TestPredictions compares the closed forms that explain prints with simulations.
func TestPredictions(t *testing.T) {
	for _, c := range []struct {
		options, arrivals string
		k, clients        int
		run, over         float64 // tolerance, share of the limit; 0: there is no prediction
	}{
		{"allocation: fair", "constant", 3, 20, 0.001, 0.001},
		{"allocation: fair", "poisson", 3, 10, 0.01, 0.01},
		{"allocation: fair, conserves: true", "constant", 2, 5, 0.001, 0.001},
		{"allocation: proportional", "constant", 3, 20, 0.001, 0.001},
		{"allocation: proportional", "poisson", 3, 10, 0.02, 0},
		{"allocation: proportional, report_interval: 500ms", "poisson", 4, 5, 0.03, 0},
		{"allocation: proportional, on_change: carry-over", "poisson", 3, 10, 0.01, 0},
		{"allocation: greedy", "constant", 3, 10, 0.005, 0.005},
		{"allocation: whole", "constant", 30, 10, 0.01, 0.01},
		{"allocation: whole", "poisson", 8, 5, 0.05, 0.05},
		{"allocation: whole", "poisson", 3, 5, 0, 0},
		{"rebalance: 1s", "poisson", 3, 10, 0, 0},
	} {
		if c.options[:4] == "allo" && c.options[len(c.options)-1] != 's' {
			c.options += ", report_interval: 1s"
		}
		name := fmt.Sprintf("%s, %s, %dx on %d", c.options, c.arrivals, c.k, c.clients)
		text := fmt.Sprintf(`
version: 1
duration: 40s
replications: 4
algorithms:
  tested: {preset: envoy-quota, %s}
scenarios:
  - name: steady
    warmup: 4s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: %d, network: 5ms}
    traffic: [{pattern: %s, rate: %d/s}]
    algorithms: [tested]
`, c.options, c.clients, c.arrivals, 1000*c.k)
		p := limiters.Predict(&simtest.Load(t, text).Scenarios[0])
		d := simtest.Run(t, text)
		for _, v := range []struct {
			what      string
			formula   string
			want, got float64
			tolerance float64
		}{
			{"long run", p.LongRun.Formula, p.LongRun.Value, simtest.Mean(t, d, "steady", "tested", "admitted_over_limit"), c.run},
			{"over limit", p.OverLimit.Formula, p.OverLimit.Value, simtest.Mean(t, d, "steady", "tested", "over_limit_pct") / 100, c.over},
		} {
			switch off := v.got - v.want; {
			case (v.formula == "") != (v.tolerance == 0):
				t.Errorf("%s: formula %q of the %s, tolerance %v", name, v.formula, v.what, v.tolerance)
			case v.formula != "" && max(off, -off) > v.tolerance:
				t.Errorf("%s: %s %v, predicted %v", name, v.what, v.got, v.want)
			}
		}
	}
}
