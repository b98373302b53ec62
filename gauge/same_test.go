package gauge_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// counterLimiter is a counter of this module as a limiter of Go code, safe for concurrent
// use, since calls that take virtual time overlap.
type counterLimiter struct {
	mu    sync.Mutex
	table counting.Table
	keys  map[string]int32
	reads bool // the clock
}

// counters returns a function that makes limiters with a counter.
func counters(name string, reads bool) func(gauge.Policy) *counterLimiter {
	return func(p gauge.Policy) *counterLimiter {
		table, err := counting.New(name, counting.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}, nil, 1000)
		if err != nil {
			panic(err)
		}
		return &counterLimiter{table: table, keys: map[string]int32{}, reads: reads}
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
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Take(l.key(key), l.now(now), cost).Admitted()
}

func (l *counterLimiter) Level(now time.Time, key string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Level(l.key(key), l.now(now))
}

func (l *counterLimiter) RetryAfter(now time.Time, key string, cost int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.table.RetryAt(l.key(key), l.now(now), cost)
	if at == counting.Never {
		return -1
	}
	return max(0, time.Duration(at-l.now(now)))
}

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
		want := simtest.EncodeResults(r, resultstest.Decode(r, gauge.Run(t, file)))
		write(t, file, strings.Replace(text, "algorithms:\n", "algorithms:\n  unused: {preset: gcra}\n", 1))
		for _, reads := range []bool{false, true} {
			got := simtest.EncodeResults(r, resultstest.Decode(r, gauge.Run(t, file, gauge.Use("mine", counters(c.counter, reads), c.options...))))
			if !bytes.Equal(got, want) {
				r.Fatalf("%s, reads the clock: %v: documents differ\n%s\n%s", c.builtIn, reads, text, simtest.FirstDifference(want, got))
			}
		}
	}
	for _, c := range all {
		check(t, c, draw.OtherPatterns)
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
