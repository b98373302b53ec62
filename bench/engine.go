package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// engine returns a contestant that runs a scenario of one algorithm and one
// replication through the code path of `limitgauge run`, on one core. Its
// operations are the decisions of the algorithm. Those of the reference rows,
// which run as well, are not counted.
func engine(name, text string) contestant { return engineOn(1, 1, name, text) }

func engineOn(workers, replications int, name, text string) contestant {
	text = fmt.Sprintf("version: 1\nreplications: %d\n%s", replications, text)
	return contestant{name: name, scenario: text, run: func(ctx context.Context) (int, error) {
		return simulate(ctx, text, sim.Options{Workers: workers})
	}}
}

// simulate runs a scenario of one algorithm and returns how many requests it decided.
func simulate(ctx context.Context, text string, o sim.Options) (int, error) {
	f, problems := scenarios.Load("bench", []byte(text), ".", sim.Catalog())
	if len(problems) > 0 {
		return 0, errors.New(problems[0].String())
	}
	d, err := sim.Run(ctx, f, o)
	if err != nil {
		return 0, err
	}
	for _, r := range d.Results {
		if !r.Reference {
			return int(*r.Metrics["offered_requests"].Mean) * r.Replications, nil
		}
	}
	return 0, errors.New("no row")
}

// centralText returns the workload as a scenario with this metric set, policy
// and keys.
func centralText(metricSet, policy, keys string) string {
	return fmt.Sprintf(`
duration: 60s
metrics: %s
scenarios:
  - name: one
    policy: %s
    traffic: [{pattern: poisson, rate: 100000/s, tenants: {uniform: {count: 100}}, %s}]
    algorithms: [token-bucket]
`, metricSet, policy, keys)
}

// withoutTenants returns a text of centralText whose requests have no tenants.
func withoutTenants(text string) string {
	return strings.Replace(text, "tenants: {uniform: {count: 100}}, ", "", 1)
}

const onePolicy = "{limit: 50000/s, burst: 5000}"

// onlyPoisson has one pattern for perSource.
var onlyPoisson = []string{"pattern: poisson, rate: 1000/s"}

// tenShapes are patterns of 1,000/s on average. foreign/shapes.h has the same
// ones.
var tenShapes = []string{
	"pattern: poisson, rate: 1000/s",
	"pattern: constant, rate: 1000/s",
	"pattern: constant, rate: 1000/s, arrivals: jittered",
	"pattern: gamma, rate: 1000/s",
	"pattern: sine, rate: 1000/s, period: 10s, arrivals: poisson",
	"pattern: sine, rate: 1000/s, period: 10s",
	"pattern: bursty, rate_on: 2000/s, mean_on: 1s, mean_off: 1s",
	"pattern: square, high: 2000/s, high_for: 1s, low_for: 1s, arrivals: poisson",
	"pattern: pareto, rate_on: 2000/s, mean_on: 1s, mean_off: 1s",
	"pattern: random-walk, rate: 1000/s",
}

// perSource returns the workload with one traffic entry, and so one random
// stream, per source. The sources take the patterns in turn.
func perSource(shapes []string) string {
	var entries strings.Builder
	for i := range sources {
		fmt.Fprintf(&entries, "      - {%s, name: s%d, tenant: t%d, key: k}\n", shapes[i%len(shapes)], i, i)
	}
	return fmt.Sprintf(`
duration: 60s
scenarios:
  - name: one
    policy: %s
    traffic:
%s    algorithms: [token-bucket]
`, onePolicy, entries.String())
}

func simulations(f *foreign) []group {
	return []group{{
		name: "central", unit: "decision",
		what: "100 sources, Poisson unless said otherwise, 100,000/s offered to one token bucket of 50,000/s for 60 s",
		contestants: append([]contestant{
			poisson(),
			bareLoop("bare loop, constant", false, 1, nil, half),
			engine("limitgauge, metric set basic", centralText("basic", onePolicy, "key: k")),
			engine("limitgauge, metric set full", centralText("full", onePolicy, "key: k")),
			engine("limitgauge, a stream for each source", perSource(onlyPoisson)),
			engine("limitgauge, ten shapes, a stream for each source", perSource(tenShapes)),
			quaternaryHeap(), containerHeap(),
		}, f.contestants()...),
	}}
}

// scaling measures how speed depends on the size of the scenario.
func scaling() []group {
	sourcesText := func(n int) string {
		return strings.Replace(centralText("basic", onePolicy, "key: k"), "count: 100}", fmt.Sprintf("count: %d}", n), 1)
	}
	event := func(name, traffic, algorithm, more string) contestant {
		return engine(name, fmt.Sprintf(`
duration: 20s
algorithms: {tested: %s}
scenarios:
  - name: one
    policy: {limit: 100000/s, burst: 100}
    traffic: [{pattern: poisson, rate: %s}]
    algorithms: [tested]
%s`, algorithm, traffic, more))
	}
	return []group{
		{name: "sources", unit: "decision", what: "the central workload from 10 to 1,000,000 sources", contestants: []contestant{
			engine("10", sourcesText(10)), engine("1,000", sourcesText(1_000)), engine("1,000,000", sourcesText(1_000_000)),
		}},
		{name: "fleet", unit: "decision", what: "batch-reported: 100 clients, 1,000 keys, each 100 ms, 1,000,000/s offered", contestants: []contestant{
			engine("limitgauge", `
duration: 4s
scenarios:
  - name: fleet
    policy: {limit: 500/s}
    topology: {clients: 100, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: 1000000/s, keys: {uniform: {count: 1000}}}]
    algorithms: [batch-reported]
`)}},
		{name: "events", unit: "attempt", what: "calls over a network, callers who wait, and callers who try again; retries are attempts too", contestants: []contestant{
			event("a call for each request through a queueing store", "90000/s", "{preset: remote, store_service_time: 10us}", ""),
			event("the same with 2,000 calls under way", "800000/s",
				"{preset: remote, store_service_time: {exponential: {mean: 1us}}}",
				"    topology: {clients: 100, servers: 10, network: {exponential: {p99: 5ms}}}\n    duration: 5s\n"),
			event("waiting rovers", "90000/s", "{preset: rover}", ""),
			event("three tries, backing off, at twice the limit", "200000/s", "{preset: token-bucket}",
				"    retries: {attempts: 2, backoff: {exponential: {base: 50ms, max: 2s}}}\n    duration: 10s\n"),
		}},
		{name: "cores", unit: "decision", what: "20 replications of the central workload, 1 and 2 workers", contestants: []contestant{
			engineOn(1, 20, "1", centralText("basic", onePolicy, "key: k")), engineOn(2, 20, "2", centralText("basic", onePolicy, "key: k")),
		}},
	}
}
