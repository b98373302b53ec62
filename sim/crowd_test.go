package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestCrowded checks that a run ends with an error that names the place, the limiter and the
// time if more requests wait than may: in a limiter, at its server, before a retry and in
// front of the backend.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		name, more, algorithm, row string
	}{
		{"callers that wait in SQL", "topology: {clients: 2}", "sql-read-committed", "mine"},
		{"queue", "", "{preset: rover, max_wait: 1h}", "mine"},
		{"store of a remote limiter", "topology: {clients: 2, network: {constant: {time: 10s}}}", "remote", "mine"},
		{"retries", "retries: {attempts: 1, backoff: {constant: {time: 10s}}}", "fixed-window", "reference"},
		{"backend", "guard: {concurrency: 1, service_time: {constant: {time: 1s}}}", "local-full", "reference"},
	} {
		limit := "1/s"
		if c.name == "backend" {
			limit = "10M/s"
		}
		text := fmt.Sprintf(`version: 1
duration: 2s
replications: 1
algorithms: {mine: %s}
scenarios:
  - name: one
    policy: {limit: %s}
    traffic: [{pattern: constant, rate: 2M/s}]
    %s
    algorithms: [mine]
`, map[bool]string{true: c.algorithm, false: "{preset: " + c.algorithm + "}"}[c.algorithm[0] == '{'], limit, c.more)
		d, err := Run(context.Background(), load(t, text), Options{Workers: 1})
		var crowded *Crowded
		if !errors.As(err, &crowded) || d != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := "test.yaml:6:5: scenarios[0]: more than 1048576 requests or messages wait in " + c.row + " after 500ms, so the run was ended: "
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", c.name, err, want)
		}
	}
}

// TestMemoryIsTaken checks that a run ends with an error when it holds as much memory as the
// process may: clients that report in batches hold each key that they have seen.
func TestMemoryIsTaken(t *testing.T) {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(now.HeapAlloc) + 64<<20))
	_, err := Run(context.Background(), load(t, `version: 1
duration: 1s
replications: 1
scenarios:
  - name: one
    policy: {limit: 1/s}
    topology: {clients: 1000}
    traffic: [{pattern: constant, rate: 4M/s, keys: {uniform: {count: 10000}}, spread: random}]
    algorithms: [batch-reported]
`), Options{Workers: 1})
	var crowded *Crowded
	if !errors.As(err, &crowded) || !strings.Contains(err.Error(), "GiB of memory that may be used is taken in batch-reported after ") {
		t.Errorf("%v", err)
	}
}
