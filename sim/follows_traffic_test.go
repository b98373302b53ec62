package sim

import (
	"context"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// TestFollowsTraffic checks which rows follow their traffic, and that the digests of traffic
// depend on neither the limiters nor how the work is divided.
func TestFollowsTraffic(t *testing.T) {
	run := func(text string, o Options) *results.Document {
		f, problems := scenarios.Load("-", []byte(text), ".", Catalog())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		d, err := Run(context.Background(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const head = "version: 1\nduration: 5s\nscenarios:\n  - name: s\n    policy: {limit: 100/s, burst: 10}\n    topology: {clients: 5, network: {exponential: {p99: 20ms}}}\n"
	const poisson = head + "    traffic: [{pattern: poisson, rate: 300/s}]\n    algorithms: [token-bucket, local-full, batch-reported]\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"random traffic", poisson, []string{"reference", "token-bucket", "local-full"}},
		{"retries that draw", poisson + "    retries: {attempts: 2, backoff: {constant: {time: 10ms, jitter: full}}}\n", []string{"reference", "token-bucket", "local-full"}},
		{"a backend that draws", poisson + "    guard: {concurrency: 2, service_time: {exponential: {mean: 5ms}}}\n", nil},
		{"exact", head + "    traffic: [{pattern: constant, rate: 300/s}]\n    algorithms: [token-bucket, batch-reported]\n", nil},
	} {
		var got []string
		d := run(c.text, Options{})
		for _, r := range d.Results {
			if r.FollowsTraffic {
				got = append(got, r.Algorithm)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q follow their traffic, want %q", c.name, got, c.want)
		}
		if n := len(d.Scenarios[0].TrafficDigests); n != 10 {
			t.Errorf("%s: %d digests", c.name, n)
		}
	}
	digests := func(text string, o Options) []string { return run(text, o).Scenarios[0].TrafficDigests }
	usual := digests(poisson, Options{Workers: 1})
	if other := digests(poisson+"    seed: 2\n", Options{}); slices.ContainsFunc(other, func(d string) bool { return slices.Contains(usual, d) }) {
		t.Errorf("seeds 1 and 2 have the digests %q and %q", usual, other)
	}
	if slices.Sort(usual); len(slices.Compact(usual)) != 10 {
		t.Errorf("replications with the same traffic: %q", usual)
	}
	usual = digests(poisson, Options{Workers: 1})
	if again := digests(poisson+"    replications: 3\n", Options{Workers: 8, Draws: 7}); !slices.Equal(again, usual[:3]) {
		t.Errorf("the digests %q, with other draws and workers %q", usual, again)
	}
}
