package batchreported_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// variants are batch-reported algorithms of drawn scenarios.
var variants = []string{"batch-reported", "rejection-rate", "rejection-rate-local", "rejection-rate-only", "batch-debt", "batch-debt-local", "sampled-reports", "lossy", "slow", "closed"}

// drawService draws a scenario of one row, and a rollout to another variant.
func drawService(t *rapid.T) (text, old, to string) {
	old, to = rapid.SampledFrom(variants).Draw(t, "old"), rapid.SampledFrom(variants).Draw(t, "to")
	text = draw.Retries(t, draw.Scenario(t, 2, "", old))
	text = strings.Replace(text, "scenarios:\n", "  slow: {preset: rejection-rate-local, interval: 70ms, reject_til_as: duration, server_time: 1ms, lost_reports: resent}\n"+
		"  closed: {preset: batch-reported, unknown: pessimistic, phase: aligned, clock_skew: {by: 5ms, share: 50%}, group_by_owner: false}\nscenarios:\n", 1)
	if rapid.Bool().Draw(t, "faults") {
		text = strings.Replace(text, "    traffic:\n", "    faults: [{server-crash: {from: 500ms, down_for: 300ms, server: 1}}, {clock: {from: 300ms, to: 1500ms, ahead: 20ms, expect_no_effect: true}}, "+
			"{report-loss: {from: 700ms, to: 1200ms, p: 30%}}, {policy-change: {from: 900ms, factor: 200%}}]\n    traffic:\n", 1)
	}
	return text, old, to
}

// withRollout adds a rollout to a drawn scenario.
func withRollout(text, fields string, args ...any) string {
	return strings.Replace(text, "servers: 2,", "servers: 2, rollout: {"+fmt.Sprintf(fields, args...)+"},", 1)
}

// sameFigures checks that the second rows of two documents have the same figures.
func sameFigures(t *rapid.T, got, want *results.Document, text string) {
	a, b := got.Results[1], want.Results[1]
	for name := range b.Metrics {
		x, y := a.Metrics[name], b.Metrics[name]
		if x.Reason != y.Reason || !slices.EqualFunc(x.Values, y.Values, func(x, y *float64) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }) {
			t.Fatalf("%s: %+v in the rollout, %+v without it\n%s", name, x, y, text)
		}
	}
}

// TestOneServiceEnds checks that a rollout over one service has the figures of the
// old algorithm before anything is converted, and those of the new one when
// everything is.
func TestOneServiceEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, old, to := drawService(t)
		rollout := withRollout(text, "to: %s, share: 0%%, service: old", to)
		sameFigures(t, simtest.Run(t, rollout), simtest.Run(t, text), rollout)
		all := strings.Replace(text, "algorithms: ["+old+"]", "algorithms: ["+to+"]", 1)
		rollout = withRollout(text, "to: %s, share: 100%%, service: new", to)
		sameFigures(t, simtest.Run(t, rollout), simtest.Run(t, all), rollout)
	})
}

// TestOneServiceOfEqualCode checks that clients with equal options over one service
// are one fleet, whichever of them are converted.
func TestOneServiceOfEqualCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Retries(t, draw.Scenario(t, 1, "", "this"))
		text = strings.Replace(text, "network: {exponential: {p99: 20ms}}", "network: 3ms", 1)
		options := rapid.SampledFrom([]string{"preset: batch-reported", "preset: batch-debt-local", "preset: rejection-rate-local, thinning: diffusion"}).Draw(t, "options")
		text = strings.Replace(text, "scenarios:\n", fmt.Sprintf("  this: {%s, phase: staggered}\n  that: {%[1]s, phase: staggered}\nscenarios:\n", options), 1)
		clients := int(text[strings.Index(text, "topology: {clients: ")+len("topology: {clients: ")] - '0') // at most 6
		rollout := withRollout(text, "to: that, share: %d/%d, service: %s", rapid.IntRange(0, clients).Draw(t, "converted"), clients, rapid.SampledFrom([]string{"old", "new"}).Draw(t, "service"))
		sameFigures(t, simtest.Run(t, rollout), simtest.Run(t, text), rollout)
	})
}

// TestConvertedClientReports checks that a gateway reports with its old code what it
// has counted before it was converted: the window is full at 2 s, which rejects the
// requests at 2.5 s.
func TestConvertedClientReports(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
algorithms:
  this: {preset: batch-reported, interval: 1s, phase: aligned}
  that: {preset: batch-reported, interval: 1s, phase: aligned}
scenarios:
  - name: one
    policy: {limit: 10/10s}
    topology: {clients: 1, rollout: {to: that, share: 100%, from: 600ms, service: new}}
    traffic: [{pattern: list, events: [{at: 500ms, count: 8}, {at: 1500ms, count: 5}, {at: 2500ms, count: 5}]}]
    algorithms: [this]
`)
	simtest.Exactly(t, d, "one", "this", "admitted_requests", 13)
}

// TestClientsIgnoreFields checks that clients use only the fields of an answer that
// their algorithm has. Over a service that answers reject-until times alone, old
// clients that know only rejection rates reject nothing. Over one that answers both,
// they do not stop when the window is full.
func TestClientsIgnoreFields(t *testing.T) {
	for _, c := range []struct {
		to          string
		least, most float64 // requests that the last, old client admits, of 4000
	}{{"batch-debt", 4000, 4000}, {"rejection-rate", 620, 740}} { // 200 of the first second, then an eighth
		admitted := map[int32]float64{}
		for _, d := range simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
scenarios:
  - name: two
    policy: {limit: 100/s}
    topology: {clients: 4, rollout: {to: %s, share: 25%%, service: new}}
    traffic: [{pattern: constant, rate: 800/s}]
    algorithms: [rejection-rate-only]
`, c.to))["rejection-rate-only"] {
			if d.Verdict == "admitted" {
				admitted[d.Client]++
			}
		}
		if n := admitted[3]; n < c.least || n > c.most {
			t.Errorf("to %s: an old client admits %v requests, want %v to %v", c.to, n, c.least, c.most)
		}
		if admitted[0] > admitted[3] {
			t.Errorf("to %s: a new client admits %v requests, an old one %v", c.to, admitted[0], admitted[3])
		}
	}
}
