package gauge_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/gauge"
	_ "github.com/limitgauge/limitgauge/internal/samedraws"
	"github.com/limitgauge/limitgauge/internal/simtest"
	"github.com/limitgauge/limitgauge/internal/simtest/draw"
	"github.com/limitgauge/limitgauge/results"
)

// counterLimiter is a counter of this module as a limiter of Go code.
type counterLimiter struct {
	table counter.Table
	keys  map[string]int32
	reads bool // the clock
}

// counters returns a function that makes limiters with a counter.
func counters(name string, reads bool) func(gauge.Policy) *counterLimiter {
	return func(p gauge.Policy) *counterLimiter {
		table, err := counter.New(name, counter.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}, nil, 1000)
		if err != nil {
			panic(err)
		}
		return &counterLimiter{table, map[string]int32{}, reads}
	}
}

func (l *counterLimiter) key(name string) int32 {
	if _, ok := l.keys[name]; !ok {
		l.keys[name] = int32(len(l.keys))
	}
	return l.keys[name]
}

func (l *counterLimiter) now(now time.Time) int64 {
	if l.reads {
		now = time.Now()
	}
	return now.UnixNano()
}

func (l *counterLimiter) Take(now time.Time, key string, cost int64) bool {
	return l.table.Take(l.key(key), l.now(now), cost).Admitted()
}

func (l *counterLimiter) Level(now time.Time, key string) int64 {
	return l.table.Level(l.key(key), l.now(now))
}

func (l *counterLimiter) RetryAfter(now time.Time, key string, cost int64) time.Duration {
	at := l.table.RetryAt(l.key(key), l.now(now), cost)
	if at == counter.Never {
		return -1
	}
	return max(0, time.Duration(at-l.now(now)))
}

// otherPatterns is a scenario with the patterns that draw.Traffic does not draw.
const otherPatterns = `
version: 1
replications: 2
metrics: full
algorithms:
scenarios:
  - name: drawn
    duration: 2s
    policy: {limit: 30/s, burst: 12}
    topology: {clients: 3}
    traffic:
      - {pattern: pareto, rate_on: 90/s, rate_off: 5/s, mean_on: 100ms, mean_off: 300ms, keys: {uniform: {count: 3}}}
      - {pattern: gamma, rate: 30/s, cv: 4, spread: random}
      - {pattern: random-walk, rate: 30/s, step: 10%, every: 100ms, highest: 2, cost: {uniform: {max: 3}}}
    algorithms: [mine]
  - name: log
    policy: {limit: 2/5s, burst: 3, per: remote_addr}
    topology: {clients: 2, network: 3ms}
    duration: 20s
    traffic: [{pattern: trace, file: access.log, key_field: remote_addr, rebase: true}]
    algorithms: [mine]
  - name: dated log
    policy: {limit: 2/5s, burst: 3, per: remote_addr}
    traffic: [{pattern: trace, file: access.log, key_field: remote_addr}]
    algorithms: [mine]
`

// TestSameDocument checks that a limiter of Go code that decides as a counter does
// gives the document of that counter, with the time as an argument and in a bubble, on
// every pattern of traffic.
func TestSameDocument(t *testing.T) {
	dir := t.TempDir()
	log, err := os.ReadFile("../sim/testdata/golden/access.log")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "access.log"), string(log))
	type same struct {
		counter, builtIn string
		options          []gauge.Option
	}
	all := []same{
		{"token-bucket", "{enforcement: central, counter: token-bucket}", nil},
		{"gcra", "{enforcement: central, counter: gcra}", nil},
		{"fixed-window", "{enforcement: central, counter: fixed-window}", nil},
		{"fixed-window", "{enforcement: local, counter: fixed-window, share: full}", []gauge.Option{gauge.PerClient()}},
	}
	check := func(r simtest.T, c same, text string) {
		file := filepath.Join(dir, "file.yaml")
		write(t, file, strings.Replace(text, "algorithms:\n", "algorithms:\n  mine: "+c.builtIn+"\n", 1))
		want := encode(r, gauge.Run(t, file))
		write(t, file, strings.Replace(text, "algorithms:\n", "algorithms:\n  unused: {preset: gcra}\n", 1))
		for _, reads := range []bool{false, true} {
			got := encode(r, gauge.Run(t, file, gauge.Use("mine", counters(c.counter, reads), c.options...)))
			if !bytes.Equal(got, want) {
				r.Fatalf("%s, reads the clock: %v: documents differ\n%s\n%s", c.builtIn, reads, text, difference(want, got))
			}
		}
	}
	for _, c := range all {
		check(t, c, otherPatterns)
	}
	rapid.Check(t, func(r *rapid.T) {
		check(r, rapid.SampledFrom(all).Draw(r, "limiter"), draw.Retries(r, draw.Scenario(r, 2, "", "mine")))
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// encode returns a document without what the definition of the row changes: the text
// of the file, and warnings about its options.
func encode(t simtest.T, d *results.Document) []byte {
	d.Stamp.Scenario, d.Stamp.ScenarioSHA256 = "", ""
	for i := range d.Scenarios {
		d.Scenarios[i].Warnings = nil
	}
	return simtest.Encode(t, d)
}

// difference returns the first lines in which two texts differ.
func difference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i, x[i], y[i])
		}
	}
	return "length"
}
