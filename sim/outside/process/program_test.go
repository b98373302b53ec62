package process

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

var policy = First{LimitTokens: 100, WindowNs: 1e9, BurstTokens: 20, Client: 2, Clients: 3, Seed: 1<<64 - 1}

// quickExit makes a process of the race detector end at once.
const quickExit = "GORACE=atexit_sleep_ms=0"

func command(limiter string) Command {
	return Command{Args: []string{os.Args[0]}, Env: []string{"TEST_LIMITER=" + limiter, quickExit}}
}

// start starts a limiter of limiters.
func start(t testing.TB, ctx context.Context, name string, timeout time.Duration) *Process {
	t.Helper()
	if limiters[name] == nil {
		t.Fatalf("no limiter %q", name)
	}
	c := command(name)
	c.Timeout = timeout
	return startCommand(t, ctx, c)
}

func startCommand(t testing.TB, ctx context.Context, c Command) *Process {
	t.Helper()
	p, err := Start(ctx, c, policy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// requests returns n requests. Request i arrives at i*10+i%2.
func requests(from, n int) []Request {
	rs := make([]Request, n)
	for i := range rs {
		rs[i] = Request{AtNs: int64((from+i)*10 + (from+i)%2), Key: "k", Cost: 1}
	}
	return rs
}

// noneLeft fails if the process, or one of its group, still runs.
func noneLeft(t *testing.T, p *Process) {
	t.Helper()
	wait.Until(t, "no process is left", func() bool { return !runs(p) }) // a kill takes a moment
}

func TestDecide(t *testing.T) {
	p := start(t, t.Context(), "even", time.Hour)
	n := 0
	for _, size := range []int{1, 0, 7, 1024, 3, 5000} {
		rs := requests(n, size)
		as := make([]Answer, size)
		if err := p.Decide(rs, as); err != nil {
			t.Fatal(err)
		}
		for i, a := range as {
			want := Answer{Admit: rs[i].AtNs%2 == 0}
			if want.Admit {
				want.WaitNs = rs[i].AtNs / 2
			}
			if a != want {
				t.Fatalf("request %d: %v, want %v", n+i, a, want)
			}
		}
		n += size
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	noneLeft(t, p)
	if err := p.Decide(requests(0, 1), make([]Answer, 1)); !errors.Is(err, errClosed) {
		t.Errorf("Decide after Close: %v", err)
	}
}

func TestFirstLineAndKeys(t *testing.T) {
	for _, name := range []string{"first line", "reads keys"} {
		p := start(t, t.Context(), name, time.Hour)
		rs := requests(0, len(keys))
		for i := range rs {
			rs[i].Key = keys[i]
		}
		as := make([]Answer, len(rs))
		if err := p.Decide(rs, as); err != nil {
			t.Fatal(err)
		}
		for i, a := range as {
			if !a.Admit {
				t.Errorf("%s: request %d with key %.20q arrived changed", name, i, keys[i])
			}
		}
	}
}

func TestInvalidKey(t *testing.T) {
	p := start(t, t.Context(), "even", time.Hour)
	rs := requests(0, 3)
	rs[2].Key = "k\xff"
	err := p.Decide(rs, make([]Answer, 3))
	if want := `cannot be sent a key that is not valid UTF-8; request 2 (at_ns 20, key "k\xff")`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	noneLeft(t, p)
}

// TestAllocations checks that a decision allocates nothing.
func TestAllocations(t *testing.T) {
	p := start(t, t.Context(), "admit all", time.Hour)
	rs, as := requests(0, 1024), make([]Answer, 1024)
	if n := testing.AllocsPerRun(50, func() {
		if err := p.Decide(rs, as); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("%v allocations per block", n)
	}
}

func BenchmarkDecide(b *testing.B) {
	p := start(b, b.Context(), "admit all", 0)
	rs, as := requests(0, 1024), make([]Answer, 1024)
	for b.Loop() {
		if err := p.Decide(rs, as); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(rs))/b.Elapsed().Seconds(), "decisions/s")
}
