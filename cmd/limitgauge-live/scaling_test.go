//go:build network && unix

package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// TestScaling measures sweeps on 1, 2 and 4 workers, each with one cell at a time, and
// what a cell takes beyond its run. DISTRIBUTED_SCALING=1 runs it; docs/distributed.md
// has its figures.
func TestScaling(t *testing.T) {
	if os.Getenv("DISTRIBUTED_SCALING") == "" {
		t.Skip("only with DISTRIBUTED_SCALING=1: measures")
	}
	f := newFleet(t)
	took := regexp.MustCompile(`run in ([0-9.]+) s`)
	measure := func(args ...string) (float64, time.Duration) {
		p := f.start(append([]string{"sweep", "s.yaml", "--no-plots", "--no-cache", "--format", "csv"}, args...)...)
		if f.end(p) != 0 {
			t.Fatal(p.errs)
		}
		match := took.FindStringSubmatch(p.errs.String())
		if match == nil {
			t.Fatal(p.errs)
		}
		seconds, _ := strconv.ParseFloat(match[1], 64)
		return seconds, processor(p)
	}
	for _, c := range []struct {
		cells    int
		duration string
	}{{1000, "1s"}, {200, "20s"}, {60, "500s"}} {
		f.write("s.yaml", fmt.Sprintf(`version: 1
replications: 1
scenarios:
  - name: one
    duration: %s
    policy: {limit: 500/s}
    topology: {clients: 4, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 2000/s}]
    algorithms: [batch-reported]
    vary:
      demand: {of: "traffic[0].rate", from: 2000/s, to: 3000/s, steps: %d}
`, c.duration, c.cells))
		each := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(c.cells) }
		local, used := measure("--workers", "1")
		t.Logf("%d cells: %.1f s on one core of this machine, %.1f ms of a processor for each cell", c.cells, local, each(used))
		for _, n := range []int{1, 2, 4} {
			s := f.server()
			var workers []*process
			for range n {
				workers = append(workers, f.start("worker", "--on", s.url(), "--workers", "1"))
			}
			time.Sleep(time.Second)
			seconds, command := measure("--on", s.url())
			var all time.Duration
			for _, w := range workers {
				w.kill()
				all += processor(w)
			}
			s.process.kill()
			t.Logf("  %d workers: %.1f s, %.1f cells/s, %.2f times as fast as one core; ms of a processor for each cell: workers %.1f, command %.1f, server %.1f",
				n, seconds, float64(c.cells)/seconds, local/seconds, each(all), each(command), each(processor(s.process)))
		}
	}
}

// processor returns the time of a processor that a process has used.
func processor(p *process) time.Duration {
	return p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}
