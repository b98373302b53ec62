package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/results"
)

// drawTraffic draws one to three patterns of up to some hundred requests a
// second, with keys, tenants, clients and costs.
func drawTraffic(t *rapid.T, maxCost int) string {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	rate := func(name string) string { return fmt.Sprintf("%s: %d/s", name, rapid.IntRange(1, 300).Draw(t, name)) }
	var b strings.Builder
	for i := range rapid.IntRange(1, 3).Draw(t, "entries") {
		arrivals := "arrivals: " + pick("arrivals", "spaced", "poisson")
		options := pick("pattern",
			"constant, arrivals: jittered, "+rate("rate"),
			"constant, "+rate("rate"),
			"poisson, "+rate("rate"),
			"boundary, count: 40, window: 1s, width: "+pick("width", "0s", "20ms"),
			"adversary, window: 500ms, width: "+pick("width", "0s", "20ms")+", rate: "+pick("saved", "40/s", "17/s"),
			"stages, stages: [{"+rate("rate")+", for: 700ms}, {"+rate("rate")+", for: 800ms, "+rate("to")+"}], "+arrivals,
			"step, "+rate("rate")+", "+rate("to_rate")+", at: 900ms, "+arrivals,
			"spike, "+rate("rate")+", "+rate("peak")+", at: 900ms, for: 100ms, "+arrivals,
			"ramp, "+rate("rate")+", "+rate("to_rate")+", "+arrivals,
			"square, "+rate("high")+", high_for: 300ms, low_for: 200ms, "+arrivals,
			"sine, "+rate("rate")+", period: 800ms, "+arrivals,
			"bursty, "+rate("rate_on")+", mean_on: 100ms, mean_off: 100ms",
			"herd, count: 60, every: "+pick("every", "350ms", "1s"),
			fmt.Sprintf("list, events: [{at: 10ms, count: 30, cost: %d}, {at: 1s, count: 30, key: other}, {at: 1s, client: 0}]", maxCost))
		fmt.Fprintf(&b, "      - {name: entry %d, pattern: %s, cost: %s, spread: %s%s%s}\n", i, options,
			pick("cost", "1", fmt.Sprintf("{uniform: {max: %d}}", maxCost)), pick("spread", "even", "random", "hash", "sticky"),
			pick("keys", "", ", keys: {uniform: {count: 5}}", ", keys: {zipf: {count: 20}}", ", keys: {hot: {count: 4, share: 60%}}"),
			pick("tenants", "", ", tenants: {uniform: {count: 3}}"))
	}
	return b.String()
}

// drawScenario draws a scenario over the given algorithms.
func drawScenario(t *rapid.T, replications int, policy, algorithms string) string {
	const maxCost = 3
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	return fmt.Sprintf(`
version: 1
seed: %d
replications: %d
duration: 2s
warmup: %s
metrics: full
algorithms:
  windows-of-clients: {enforcement: local, counter: fixed-window}
  faithful: {preset: rover, stamp: now, threshold: 2, max_wait: 30ms, replenish: %s}
  refusing: {preset: rover-capped, when_short: refuse}
  sql-waits: {preset: sql-serializable, when_short: wait, refusal_writes: false, max_wait: 50ms, retries: 2}
  lossy: {preset: batch-debt, report_loss: 10%%, local_limit: {share: 2}}
scenarios:
  - name: drawn
    policy: {limit: %s, burst: %d%s}
    topology: {clients: %d, servers: 2, network: {exponential: {p99: 20ms}}}
%s    traffic:
%s    algorithms: [%s]
`, rapid.Uint32().Draw(t, "seed"), replications, pick("warmup", "0s", "1s"), pick("replenish", "timer", "on-look", "continuous"),
		pick("limit", "100/s", "7/100ms", "30/s", "1/10ms"), rapid.IntRange(maxCost, 50).Draw(t, "burst"), policy,
		rapid.IntRange(1, 6).Draw(t, "clients"),
		pick("guard", "", "    guard: {concurrency: 3, service_time: {exponential: {mean: 10ms}}}\n"),
		drawTraffic(t, maxCost), algorithms)
}

const everyAlgorithm = "fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, leaky-bucket, rover, rover-capped, " +
	"local-full, local-divided, windows-of-clients, batch-reported, rejection-rate, rejection-rate-local, batch-debt, lossy, faithful, refusing, " +
	"envoy-local, timer-bucket, gubernator-global, gubernator-global-leaky, apisix-delayed-sync, apisix-delayed-sync-before, kong-sync, global-random-drop, flow-proportional-share, " +
	"sql-token-bucket, sql-token-bucket-exact, sql-serializable, sql-read-committed, sql-waits"

// What must hold whatever the traffic: every attempt ends as exactly one of
// admitted, rejected and waiting; the reference does as well as itself; what
// are two ways of saying the same thing have the same figures; and a central
// fixed window is never over its limit.
func TestSanity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawScenario(t, 2, "", everyAlgorithm)
		d := simulate(t, text)
		rows := map[string]results.Result{}
		for _, r := range d.Results {
			rows[r.Algorithm] = r
			for i := range r.Replications {
				for _, unit := range []string{"requests", "cost"} {
					of := func(name string) float64 { return *r.Metrics[name+"_"+unit].Values[i] }
					if of("offered") != of("admitted")+of("rejected")+of("waiting") {
						t.Fatalf("%s: %v %s offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm, of("offered"), unit,
							of("admitted"), of("rejected"), of("waiting"), text)
					}
					first := rows["reference"].Metrics["offered_"+unit].Values // only one where nothing is drawn
					if offered := *first[min(i, len(first)-1)]; of("offered") != offered {
						t.Fatalf("%s: %v %s offered, the reference %v\n%s", r.Algorithm, of("offered"), unit, offered, text)
					}
				}
			}
		}
		zero := func(algorithm string, metrics ...string) {
			for _, m := range metrics {
				for i, x := range rows[algorithm].Metrics[m].Values {
					if x != nil && *x != 0 {
						t.Fatalf("%s: %s is %v in replication %d\n%s", algorithm, m, *x, i, text)
					}
				}
			}
		}
		zero("reference", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "policed_pct", "false_reject_pct")
		zero("reference-shaper", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "rejected_requests")
		zero("fixed-window", "over_limit_pct", "over_limit_pct_max", "over_limit_share_gt_0")
		zero("sliding-window-log", "over_limit_pct", "worst_sliding_pct")
		same(t, text, rows["token-bucket"], rows["reference"])
		same(t, text, rows["gcra"], rows["token-bucket"])
		same(t, text, rows["sql-token-bucket-exact"], rows["token-bucket"])
	})
}

// same compares every figure of two rows, replication by replication.
func same(t *rapid.T, text string, a, b results.Result) {
	for name := range a.Metrics {
		x, y := a.Metrics[name], b.Metrics[name]
		equal := slices.EqualFunc(x.Values, y.Values, func(x, y *float64) bool {
			return (x == nil) == (y == nil) && (x == nil || *x == *y)
		})
		if !equal || x.Reason != y.Reason {
			t.Fatalf("%s of %s and %s differ\n%s", name, a.Algorithm, b.Algorithm, text)
		}
	}
}

// A central fixed window is the reference where the policy means one, and so
// is the sliding log.
func TestOtherReferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for reference, algorithm := range map[string]string{"fixed-window": "fixed-window", "sliding-log": "sliding-window-log"} {
			text := drawScenario(t, 1, ", reference: "+reference, algorithm)
			d := simulate(t, text)
			same(t, text, d.Results[1], d.Results[0])
		}
	})
}

// A rover bucket in the exact mode, replenished as soon as a token is due and
// with callers who wait, dispatches every request at most one token's time
// before the exact shaper does, and never after it. The difference is the part
// of a token that its clock has earned while the bucket was full: a full shaper
// starts on its next token with the next request, a rover bucket does not.
func TestContinuousRoverIsTheShaper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &queueCase{
			count: rapid.Int64Range(1, 9).Draw(t, "count"), window: rapid.Int64Range(1, 60).Draw(t, "window") * ms,
			burst: rapid.Int64Range(3, 8).Draw(t, "burst"), counter: "counter: rover, replenish: continuous, max_wait: 1h",
		}
		c.drawArrivals(t, 300*ms, ms, 2, 3)
		rover, shaper := outcomes(t, c.yaml(), "tested"), outcomes(t, c.yaml(), "reference-shaper")
		token := (c.window + c.count - 1) / c.count
		for i, r := range rover {
			if s := shaper[i]; s.dispatched >= 0 && (r.dispatched < 0 || r.dispatched > s.dispatched || r.dispatched < s.dispatched-token) {
				t.Fatalf("attempt %d at %d: dispatched at %d, by the shaper at %d\n%s", i, c.arrivals[i].at, r.dispatched, s.dispatched, c.yaml())
			}
		}
	})
}
