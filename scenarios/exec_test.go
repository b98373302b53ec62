package scenarios_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// startTemplate starts the limiter of a language with the command of its scenario.
func startTemplate(t testing.TB, language string, limit counting.Limit) *process.Process {
	t.Helper()
	suite, limiter, err := scenarios.FindExec(language)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(suite.Source), "exec: [")
	text, _, _ = strings.Cut(text, "]")
	return start(t, strings.Split(text, ", "), limiter, limit)
}

// startPage starts the Python program of docs/exec.md.
func startPage(t testing.TB) *process.Process {
	t.Helper()
	page, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n```python\n")
	text, _, _ = strings.Cut(text, "```\n")
	return start(t, []string{"python3", "page.py"}, scenarios.Limiter{File: "page.py", Source: []byte(text)}, counting.Limit{Count: 1, Window: 1})
}

func start(t testing.TB, args []string, limiter scenarios.Limiter, limit counting.Limit) *process.Process {
	t.Helper()
	foreground.Need(t, args[0])
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, limiter.File), limiter.Source, 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := process.Start(context.Background(), process.Command{Args: args, Dir: dir, Timeout: time.Minute},
		process.First{LimitTokens: limit.Count, WindowNs: limit.Window, BurstTokens: limit.Burst, Clients: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestExecPage runs the program of docs/exec.md.
func TestExecPage(t *testing.T) {
	p := startPage(t)
	as := make([]process.Answer, 5)
	if err := p.Decide([]process.Request{{Key: "a"}, {Key: "a"}, {Key: "b"}, {Key: "a"}, {Key: "b"}}, as); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true, true, false} {
		if as[i] != (process.Answer{Admit: want}) {
			t.Errorf("request %d: %+v, want %v", i, as[i], want)
		}
	}
}

// TestExecTemplatesAreExact compares the limiter of each language, verdict by
// verdict, with a token bucket of this module: with times that a float does not hold,
// rates that no whole number of nanoseconds refills, and keys that JSON escapes.
func TestExecTemplatesAreExact(t *testing.T) {
	for _, language := range scenarios.ExecLanguages() {
		for _, limit := range []counting.Limit{
			{Count: 100, Window: 1e9, Burst: 20},
			{Count: 7, Window: 3e9, Burst: 1},
			{Count: 1e6, Window: 86400e9, Burst: 50_000},
		} {
			t.Run(fmt.Sprintf("%s/%d per %d ns", language, limit.Count, limit.Window), func(t *testing.T) {
				t.Parallel()
				p := startTemplate(t, language, limit)
				draw := rand.New(rand.NewPCG(17, 0))
				buckets := map[string]*counting.Single{}
				now, number := int64(1_700_000_000_000_000_001), 0
				for range 4 {
					rs, want := make([]process.Request, 1000), make([]bool, 1000)
					for i := range rs {
						now += draw.Int64N(limit.Window / limit.Count)
						key := []string{"a", "b", `"cost":5`, "ü\n\\", ""}[draw.IntN(5)]
						if buckets[key] == nil {
							buckets[key] = counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: limit.Burst})
						}
						b := buckets[key]
						rs[i] = process.Request{AtNs: now, Key: key, Cost: draw.Int64N(3)}
						switch draw.IntN(20) {
						case 0: // at the instant at which the request is admitted, or just before
							if rs[i].Cost <= limit.Burst {
								now = max(b.RetryAt(now, rs[i].Cost)-draw.Int64N(2), now)
								rs[i].AtNs = now
							}
						case 1:
							rs[i].AtNs -= 1000 // the clock goes back
						case 2:
							rs[i].Cost = limit.Burst + draw.Int64N(2)
						case 3:
							rs[i].Cost = 1 << 62
						}
						want[i] = b.Take(rs[i].AtNs, rs[i].Cost) == counting.Admitted
					}
					as := make([]process.Answer, len(rs))
					if err := p.Decide(rs, as); err != nil {
						t.Fatal(err)
					}
					for i, r := range rs {
						if as[i].Admit != want[i] || as[i].WaitNs != 0 {
							t.Fatalf("request %d, %+v: %+v, want %v", number+i, r, as[i], want[i])
						}
					}
					number += len(rs)
				}
			})
		}
	}
}

// TestExecAsyncJavaScript checks that the template in JavaScript runs a limiter that returns
// promises and reads the clock.
func TestExecAsyncJavaScript(t *testing.T) {
	_, limiter, err := scenarios.FindExec("javascript")
	if err != nil {
		t.Fatal(err)
	}
	const made = "limiter = new TokenBucket(m.policy);"
	source := strings.Replace(string(limiter.Source), made, `limiter = {
  admitted: new Map(),
  async take(atNs, key) {
    await new Promise((resolve) => setImmediate(resolve));
    if (Date.now() !== performance.now() || new Date().getTime() !== Date.now() || new Date(5).getTime() !== 5) throw new Error("clocks");
    const window = Math.floor(Date.now() / 1000);
    if (this.admitted.get(key) === window) return Promise.reject(new Error("too many")).then(() => true, () => false);
    this.admitted.set(key, window);
    return true;
  },
};`, 1)
	if source == string(limiter.Source) {
		t.Fatalf("no %q in the template", made)
	}
	limiter.Source = []byte(source)
	p := start(t, []string{"node", limiter.File}, limiter, counting.Limit{Count: 1, Window: 1e9, Burst: 1})
	rs, as := make([]process.Request, 1000), make([]process.Answer, 1000)
	for i := range rs {
		rs[i] = process.Request{AtNs: 1_700_000_000_000_000_000 + int64(i)*300e6, Key: []string{"a", "b"}[i%2], Cost: 1}
	}
	if err := p.Decide(rs, as); err != nil {
		t.Fatal(err)
	}
	last := map[string]int64{}
	for i, r := range rs {
		if want := last[r.Key] != r.AtNs/1e9; as[i].Admit != want {
			t.Fatalf("request %d: %+v, want %v", i, as[i], want)
		}
		last[r.Key] = r.AtNs / 1e9
	}
}

// BenchmarkExec measures blocks of requests for 100 keys: the templates, and the
// program of docs/exec.md, which flushes each line.
func BenchmarkExec(b *testing.B) {
	b.Run("page", func(b *testing.B) { measure(b, startPage(b)) })
	for _, language := range scenarios.ExecLanguages() {
		b.Run(language, func(b *testing.B) {
			measure(b, startTemplate(b, language, counting.Limit{Count: 100, Window: 1e9, Burst: 20}))
		})
	}
}

func measure(b *testing.B, p *process.Process) {
	rs, as := make([]process.Request, 1024), make([]process.Answer, 1024)
	now := int64(0)
	for b.Loop() {
		for i := range rs {
			now += 100_000
			rs[i] = process.Request{AtNs: now, Key: fmt.Sprint("customer ", i%100), Cost: 1}
		}
		if err := p.Decide(rs, as); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(rs))/b.Elapsed().Seconds(), "decisions/s")
}
