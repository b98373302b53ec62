package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// crowd returns a scenario with a number of keys and every kind of algorithm.
func crowd(keys int, metricSet string) string {
	return fmt.Sprintf(`version: 1
duration: 1s
replications: 2
metrics: %s
scenarios:
  - name: crowd
    topology: {clients: 3}
    policy: {limit: 1000/s, per: user}
    traffic: [{pattern: poisson, rate: 10/s, keys: {uniform: {count: %d}}}]
    algorithms: [fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, leaky-bucket, rover, local-divided, batch-reported]
`, metricSet, keys)
}

// TestMemoryEstimate checks that the estimate is at least about the memory that a
// trial allocates at its start, and not much more.
func TestMemoryEstimate(t *testing.T) {
	for _, metricSet := range []string{"basic", "full"} {
		const keys = 100_000
		plans, problems, err := prepare(context.Background(), load(t, crowd(keys, metricSet)), &logReader{})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		p := plans[0]
		for _, r := range p.rows {
			took, said := allocated(func() {
				if _, _, err := (&job{plan: p, rows: []row{r}}).build(nil); err != nil {
					t.Fatal(err)
				}
			}), p.memory([]row{r})
			if said < took-keys*4 || said > 2*took+keys*40 {
				t.Errorf("%s, %s: %d bytes a key, the estimate is %d", metricSet, r.name, took/keys, said/keys)
			}
		}
	}
}

// TestMemoryOfKey checks that a key takes at most 128 bytes: of the limiter, of the
// reference, and of the metrics of both; and one byte for each client in each row.
func TestMemoryOfKey(t *testing.T) {
	const keys, clients = 1_000_000, 3
	plans, problems, err := prepare(context.Background(), load(t, crowd(keys, "basic")), &logReader{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, r := range plans[0].rows {
		if r.name != "token-bucket" && r.name != "gcra" && r.name != "fixed-window" {
			continue
		}
		took := allocated(func() {
			if _, _, err := (&job{plan: plans[0], rows: []row{plans[0].rows[0], r}}).build(nil); err != nil {
				t.Fatal(err)
			}
		})
		if spare := int64(200_000); took > (128+2*clients)*keys+spare {
			t.Errorf("%s: %.1f bytes a key", r.name, float64(took)/keys)
		}
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestMemoryOfTime checks that the memory that a trial allocates while it runs does
// not grow with simulated time, whether requests are decided at arrival, wait, or
// are decided over a network.
func TestMemoryOfTime(t *testing.T) {
	ran := func(seconds int, algorithm string) int64 {
		plans, problems, err := prepare(context.Background(), load(t, fmt.Sprintf(`version: 1
duration: %ds
metrics: basic
scenarios:
  - name: long
    topology: {clients: 3}
    policy: {limit: 1000/s, burst: 10, per: user}
    traffic: [{pattern: poisson, rate: 9500/s, keys: {uniform: {count: 10}}}]
    algorithms: [%s]
`, seconds, algorithm)), &logReader{})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		c, _, err := (&job{plan: plans[0], rows: plans[0].rows[len(plans[0].rows)-1:]}).build(nil)
		if err != nil {
			t.Fatal(err)
		}
		return allocated(func() {
			if err := c.run(context.Background(), func(int, int64) {}); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, algorithm := range []string{"token-bucket", "sliding-window-log", "local-divided", "batch-reported", "rover", "remote"} {
		short, long := ran(4, algorithm), ran(16, algorithm)
		if long > short+100_000 {
			t.Errorf("%s: %d bytes in 4 s, %d in 16 s", algorithm, short, long)
		}
	}
}

// TestMemoryBound checks that a run that needs more memory than the limit is
// rejected with the memory it needs, and that a run that fits only row by row runs
// that way with the same results.
func TestMemoryBound(t *testing.T) {
	f := load(t, crowd(1000, "basic"))
	_, err := Run(context.Background(), f, Options{Memory: 100_000})
	var invalid *Invalid
	if !errors.As(err, &invalid) || len(invalid.Problems) != 1 ||
		!strings.Contains(err.Error(), "scenarios[0]: needs about 0.0 GiB of memory for 1000 keys and 3 clients") {
		t.Fatalf("a bound of 100 kB: %v", err)
	}
	tight, err := Run(context.Background(), f, Options{Memory: 400_000, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	free, err := Run(context.Background(), f, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range free.Results {
		if got := tight.Results[i].Metrics["admitted_requests"]; *got.Mean != *r.Metrics["admitted_requests"].Mean {
			t.Errorf("%s: %v admitted within the bound, %v without", r.Algorithm, *got.Mean, *r.Metrics["admitted_requests"].Mean)
		}
	}
}
