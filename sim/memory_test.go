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

// TestMemoryAtStart checks that the estimate is at least about the memory that a trial
// holds at its start, and not much more.
func TestMemoryAtStart(t *testing.T) {
	for _, metricSet := range []string{"basic", "full"} {
		const keys = 100_000
		p := planned(t, crowd(keys, metricSet))
		for _, r := range p.rows {
			before := held()
			c, runs, err := (&job{plan: p, rows: []row{r}}).build(nil)
			if err != nil {
				t.Fatal(err)
			}
			took, said := held()-before, p.memory([]row{r})
			runtime.KeepAlive(c)
			runtime.KeepAlive(runs)
			if said < took-keys*4 || said > 2*took {
				t.Errorf("%s, %s: %d bytes a key, the estimate is %d", metricSet, r.name, took/keys, said/keys)
			}
		}
	}
}

// TestMemoryEstimate checks that the estimate is within 20 % of the memory that rows hold
// at the end of a run, if no requests wait: with and without tenants that share keys, for
// few requests, for some under each key, and for so many that most pairs occur.
func TestMemoryEstimate(t *testing.T) {
	const keys = 50_000
	for _, metricSet := range []string{"basic", "full"} {
		for _, tenants := range []int{1, 100} {
			for _, rate := range []int{100, 3_000, 8_000} {
				p := planned(t, fmt.Sprintf(`version: 1
duration: 60s
metrics: %s
scenarios:
  - name: crowd
    policy: {limit: 3/min}
    traffic: [{pattern: poisson, rate: %d/s, tenants: {uniform: {count: %d}}, keys: {uniform: {count: %d}}}]
    algorithms: [fixed-window, token-bucket]
`, metricSet, rate, tenants, keys))
				for _, rows := range [][]row{p.rows[:1], p.rows} {
					before := held()
					c, runs, err := (&job{plan: p, rows: rows}).build(nil)
					if err != nil {
						t.Fatal(err)
					}
					if err := c.run(context.Background(), func(int64, int64) {}); err != nil {
						t.Fatal(err)
					}
					took, said := held()-before, p.memory(rows)
					if said < took*8/10 || said > took*12/10 {
						t.Errorf("%s, %d tenants, %d/s, %d rows: %d bytes a key, the estimate is %d", metricSet, tenants, rate, len(rows), took/keys, said/keys)
					}
					runtime.KeepAlive(c)
					runtime.KeepAlive(runs)
				}
			}
		}
	}
}

// planned returns the plan of the only scenario of a file.
func planned(t *testing.T, text string) *plan {
	t.Helper()
	plans, problems, err := prepare(context.Background(), load(t, text), &logReader{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return plans[0]
}

// held returns the number of bytes that are in use.
func held() int64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return int64(now.HeapAlloc)
}

// TestMemoryOfKey checks that a key takes at most 96 bytes at the start: of the limiter,
// of the reference, and of the metrics of both.
func TestMemoryOfKey(t *testing.T) {
	const keys = 1_000_000
	p := planned(t, crowd(keys, "basic"))
	for _, r := range p.rows {
		if r.name != "token-bucket" && r.name != "gcra" && r.name != "fixed-window" {
			continue
		}
		took := allocated(func() {
			if _, _, err := (&job{plan: p, rows: []row{p.rows[0], r}}).build(nil); err != nil {
				t.Fatal(err)
			}
		})
		if spare := int64(200_000); took > 96*keys+spare {
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
			if err := c.run(context.Background(), func(int64, int64) {}); err != nil {
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
