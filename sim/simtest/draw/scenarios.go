package draw

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Traffic draws one to three traffic entries of up to some hundred requests per
// second, with keys, tenants, clients and costs.
func Traffic(t *rapid.T, maxCost int) string {
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

// Scenario draws a scenario file over the given algorithms. The text in policy is
// appended to the options of the policy.
func Scenario(t *rapid.T, replications int, policy, algorithms string) string {
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
  locks-first: {preset: yugabyte-fail-on-conflict, for_update: 50%%, single_row: 30%%, replicas: 2, retried_by: server, retry_delay: {exponential: {base: 1ms, jitter: full}}}
  eager: {preset: prefetch, when_empty: reject}
  leasing: {preset: doorman-fair, refresh: 300ms, client_burst: 8}
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
		Traffic(t, maxCost), algorithms)
}

// EveryAlgorithm lists presets and algorithms of Scenario that cover every counter
// and most enforcements.
const EveryAlgorithm = "fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, leaky-bucket, rover, rover-capped, " +
	"local-full, local-divided, windows-of-clients, batch-reported, rejection-rate, rejection-rate-only, rejection-rate-local, batch-debt, batch-debt-local, lossy, faithful, refusing, " +
	"envoy-local, timer-bucket, gubernator-global, gubernator-global-leaky, apisix-delayed-sync, apisix-delayed-sync-before, kong-sync, global-random-drop, flow-proportional-share, " +
	"sql-token-bucket, sql-token-bucket-exact, sql-serializable, sql-read-committed, sql-waits, yugabyte-fail-on-conflict, yugabyte-wait-on-conflict, locks-first"
