package gauge_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// failures are tests that must fail, and what they must print. They run in another
// process.
var failures = []struct {
	name string
	want []string
	row  gauge.Row
}{
	{"clock that is real", []string{"its clock is not virtual", "it did after 2.1s of real time"},
		gauge.Use("mine", bucketAt(realTime))},
	{"clock that was forced", []string{"its clock is not virtual"},
		gauge.Use("mine", bucketAt(realTime), gauge.ReadsClock())},
	{"panics", []string{"mine: the limiter panicked: no more", "failures_test.go"},
		gauge.Use("mine", func(gauge.Policy) gauge.Limiter {
			n := 0
			return gauge.Func(func(time.Time, string, int64) bool {
				if n++; n == 100 {
					panic("no more")
				}
				return n%2 == 0
			})
		}, gauge.TakesNow())},
	{"sleeps with a mutex", []string{"virtual time stood still for 300ms", "gauge.InTurn()", "sleeper).Wait"},
		gauge.Use("mine", newSleeper)},
	{"sleeps with a mutex and decides", []string{"virtual time stood still for 300ms", "gauge.InTurn()", "oneAtATime"},
		gauge.Use("mine", oneAtATime)},
	{"real store that hangs", []string{"is unknown", "a call did not return within 300ms", "stuckStore.func"},
		gauge.Use("mine", stuckStore)},
	{"windows that begin when nothing shows", []string{"is unknown: its calls take from", "Let all calls take the same time"},
		gauge.Use("mine", jittered("first-hit-window", false), gauge.As("first-hit-window"), gauge.Draws())},
	{"state of a package", []string{"share state", "one admitted 10 requests", "variables of a package"}, gauge.Use("mine", shared)},
	{"waits for ever", []string{"wait for each other", "gauge_test.init"},
		gauge.Use("mine", func(gauge.Policy) gauge.WaitFunc {
			never := make(chan bool)
			return func(context.Context, string, int64) error { <-never; return nil }
		})},
	{"ends its goroutine in a bubble", []string{"mine: the limiter ended its goroutine"}, gauge.Use("mine", exits(20), gauge.ReadsClock())},
	{"ends its goroutine in a trial", []string{"a goroutine was ended before its work was done"}, gauge.Use("mine", exits(200), gauge.TakesNow())},
	{"leaves a ticker", []string{"left goroutines or tickers", "newTicking.func", "LeavesGoroutines"},
		gauge.Use("mine", newTicking(func(func()) {}))},
	{"one too many of a herd", []string{"> 0s  1      1     admitted  rejected"}, gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		p.Limit++
		w := &window{policy: p}
		return gauge.Func(func(now time.Time, _ string, cost int64) bool { return w.decide(now, cost) })
	}, gauge.As("fixed-window"), gauge.TakesNow())},
	{"too short a wait of a herd", []string{"> 0s   1      1     rejected     waits 1.1s"}, gauge.Use("mine", func(p gauge.Policy) gauge.ReserveFunc {
		p.MaxWait = time.Second
		return newRateThatReserves(p)
	}, gauge.As("token-bucket"), gauge.MaxWait(1500*time.Millisecond))},
	{"too long a wait of a herd", []string{"> 0s  1      1     waits     rejected", "still waiting at the end for mine, rejected by token-bucket", "lets wait to the end and token-bucket rejects"}, gauge.Use("mine", func(p gauge.Policy) gauge.WaitFunc {
		take := counters("token-bucket", false)(p).Take
		return func(_ context.Context, key string, cost int64) error {
			if !take(time.Now(), key, cost) {
				time.Sleep(time.Hour)
			}
			return nil
		}
	}, gauge.As("token-bucket"), gauge.MaxWait(50*time.Millisecond))},
	{"wrong status", []string{"status 404 (Not Found)"},
		gauge.Use("mine", func(gauge.Policy) gauge.Limiter { return gauge.Handler(http.NotFoundHandler(), get) })},
	{"requests in flight without a backend", []string{"the scenario has no guard"},
		gauge.Use("mine", acquiring(func() {}), gauge.TakesNow())},
	{"requests in flight as a counter", []string{"not for limiters that implement Acquirer"},
		gauge.Use("mine", acquiring(func() {}), gauge.As("token-bucket"))},
	{"slow call for requests in flight guarded", []string{"must return at once"},
		gauge.Use("mine", acquiring(func() { time.Sleep(time.Millisecond) }))},
	{"panic for requests in flight guarded", []string{"mine: the limiter panicked: no place", "failures_test.go"},
		gauge.Use("mine", acquiring(func() { panic("no place") }))},
	{"keeps a mutex guarded", []string{"virtual time stood still for 300ms", "another call has not unlocked", "failures_test.go"},
		gauge.Use("mine", acquiring(new(sync.Mutex).Lock))},
	{"no release guarded", []string{"Acquire returned true and no function to release"},
		gauge.Use("mine", func(gauge.Policy) gauge.AcquireFunc {
			return func(time.Time, string) (func(time.Time, bool), bool) { return nil, true }
		})},
	{"negative limit guarded", []string{"mine: its Limit is -1, and a limit on requests in flight is from 0 to 1000000"},
		gauge.Use("mine", func(gauge.Policy) limited { return -1 })},
	{"limit without end guarded", []string{"mine: its Limit is 2147483647, and"},
		gauge.Use("mine", func(gauge.Policy) limited { return math.MaxInt32 })},
	{"nil function", []string{"mine: the function that makes limiters returned nil"},
		gauge.Use("mine", func(gauge.Policy) gauge.Func { return nil })},
	{"nil limiter guarded", []string{"mine: the function that makes limiters returned nil"},
		gauge.Use("mine", func(gauge.Policy) gauge.Acquirer { return nil })},
	{"no limiter", []string{"*time.Timer implements none of"},
		gauge.Use("mine", func(gauge.Policy) *time.Timer { return nil })},
	{"no maker", []string{"needs a function that makes limiters"}, gauge.Use[gauge.Limiter]("mine", nil)},
	{"taken name", []string{"cannot be called gcra"}, gauge.Use("gcra", bucket)},
	{"queue of a limiter that decides", []string{"nginx-limit-req\" delays requests", "leaky-bucket with nodelay=true"},
		gauge.Use("mine", bucket, gauge.As("nginx-limit-req", "nodelay=true"))},
	{"unknown counter", []string{"leaky"}, gauge.Use("mine", bucket, gauge.As("leaky"))},
	{"negative wait", []string{"MaxWait is a time above 0"}, gauge.Use("mine", func(gauge.Policy) gauge.ReserveFunc { return nil }, gauge.MaxWait(-1))},
	{"negative tolerance", []string{"Tolerance is a time from 0 to 1s"}, gauge.Use("mine", bucket, gauge.As("token-bucket"), gauge.Tolerance(-1))},
	{"tolerance of an hour", []string{"Tolerance is a time from 0 to 1s"}, gauge.Use("mine", bucket, gauge.As("token-bucket"), gauge.Tolerance(time.Hour))},
	{"one too many in the warm-up", []string{"mine decides as token-bucket does in the measured time, and differs outside of it;", "in 0 measured verdicts"},
		gauge.Use("mine", admitsOneMore, gauge.As("token-bucket"))},
	{"nothing to check", []string{"nothing to check"}, gauge.Use("mine", bucket)},
}

// TestFailures checks that tests of limiters that cannot be measured fail with the
// reason and a way out.
func TestFailures(t *testing.T) {
	if os.Getenv("GAUGE_TEST_FAILURES") != "" {
		for _, f := range failures {
			patience := time.Hour
			if strings.Contains(strings.Join(f.want, ""), "300ms") {
				patience = 300 * time.Millisecond
			}
			gauge.SetPatience(patience)
			file := "testdata/steady.yaml"
			switch {
			case strings.HasSuffix(f.name, "guarded"):
				file = "testdata/guarded.yaml"
			case strings.HasSuffix(f.name, "herd"):
				file = "testdata/herd.yaml"
			case strings.HasSuffix(f.name, "warm-up"):
				file = "testdata/warmup.yaml"
			}
			t.Run(f.name, func(t *testing.T) {
				failing = t
				gauge.Test(t, file, f.row)
			})
		}
		return
	}
	out := inProcess(t, "^TestFailures$", "GAUGE_TEST_FAILURES=1")
	parts := regexp.MustCompile(`(?m)^    --- (FAIL|PASS): TestFailures/`).Split(out, -1)
	if len(parts) != len(failures)+1 {
		t.Fatalf("want %d failed tests:\n%s", len(failures), out)
	}
	const hangs = "a call did not return within 300ms"
	for i, f := range failures {
		if strings.Contains(parts[i+1], hangs) && !slices.Contains(f.want, hangs) {
			t.Logf("%s: the machine is too busy, so the probe gave up:\n%s", f.name, parts[i+1])
			continue
		}
		for _, want := range f.want {
			if !strings.Contains(strings.ReplaceAll(parts[i+1], "_", " "), strings.ReplaceAll(want, "_", " ")) {
				t.Errorf("%s: want %q in\n%s", f.name, want, parts[i+1])
			}
		}
	}
}

// inProcess runs tests of this binary in another process, which must fail, and returns
// what it prints.
func inProcess(t *testing.T, tests string, env ...string) string {
	t.Helper()
	c := exec.CommandContext(wait.Context(t), os.Args[0], "-test.run", tests)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); !failed {
		t.Fatalf("want a failed test, not %v:\n%s", err, out)
	}
	return string(out)
}

// failing is the test that runs.
var failing *testing.T

// exits returns what makes limiters whose call number last fails the test at once.
func exits(last int) func(gauge.Policy) gauge.Func {
	return func(gauge.Policy) gauge.Func {
		n := 0
		return func(time.Time, string, int64) bool {
			if n++; n == last {
				failing.FailNow()
			}
			return n%2 == 0
		}
	}
}

// limited is a limiter of requests in flight that names a limit.
type limited int64

func (l limited) Limit() int { return int(l) }

func (limited) Acquire(time.Time, string) (func(time.Time, bool), bool) { return nil, false }

// acquiring returns what makes limiters of requests in flight that call f.
func acquiring(f func()) func(gauge.Policy) gauge.AcquireFunc {
	return func(gauge.Policy) gauge.AcquireFunc {
		return func(time.Time, string) (func(time.Time, bool), bool) {
			f()
			return func(time.Time, bool) {}, true
		}
	}
}

// TestWaysOut checks that the advice of some failures helps.
func TestWaysOut(t *testing.T) {
	gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", newSleeper, gauge.InTurn(), gauge.MaxWait(time.Second)))
	gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", newTicking(func(func()) {}), gauge.LeavesGoroutines()))
	gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", oneAtATime, gauge.InTurn()))
	var stopped atomic.Int32
	gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", newTicking(func(stop func()) { stop(); stopped.Add(1) })))
	if stopped.Load() == 0 {
		t.Error("no limiter was stopped")
	}
}

// TestInTurnByKey checks that calls of a key do not overlap, and those of others do. They
// sleep in virtual time, whatever the machine's load.
func TestInTurnByKey(t *testing.T) {
	var overlap atomic.Bool
	gauge.Run(t, "testdata/limits.yaml", gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		inner := bucket(p)
		open, all := map[string]int{}, 0
		var mu sync.Mutex
		enter := func(key string, n int) {
			mu.Lock()
			defer mu.Unlock()
			open[key] += n
			if all += n; all > 1 {
				overlap.Store(true)
			}
			if open[key] > 1 {
				t.Errorf("%d calls of %s at a time", open[key], key)
			}
		}
		return gauge.Func(func(_ time.Time, key string, cost int64) bool {
			enter(key, 1)
			defer enter(key, -1)
			time.Sleep(9 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			return inner.Take(time.Now(), key, cost)
		})
	}, gauge.InTurnByKey()))
	if !overlap.Load() {
		t.Error("no calls of two keys overlap")
	}
}

// clock gives the real time to goroutines of bubbles, too.
var clock = make(chan time.Time)

func init() {
	go func() {
		for {
			clock <- time.Time{} // somebody asks
			clock <- time.Now()
		}
	}()
}

var asking sync.Mutex

// realTime returns the real time in a bubble, too, as a clock of a C library does.
func realTime(time.Time) time.Time {
	asking.Lock()
	defer asking.Unlock()
	<-clock
	return <-clock
}

// bucketAt makes token buckets whose time a function returns.
func bucketAt(clock func(time.Time) time.Time) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		inner := bucket(p)
		return gauge.Func(func(now time.Time, key string, cost int64) bool { return inner.Take(clock(now), key, cost) })
	}
}

// sleeper is a limiter that sleeps while it holds a mutex.
type sleeper struct {
	mu   sync.Mutex
	rate float64
}

func newSleeper(p gauge.Policy) *sleeper { return &sleeper{rate: p.Rate()} }

func (s *sleeper) Wait(context.Context, string, int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(time.Duration(1e9 / s.rate))
	return nil
}

// oneAtATime makes a Limiter that sleeps while it holds a mutex.
func oneAtATime(p gauge.Policy) gauge.Limiter {
	var mu sync.Mutex
	inner := bucket(p)
	return gauge.Func(func(_ time.Time, key string, cost int64) bool {
		mu.Lock()
		defer mu.Unlock()
		time.Sleep(9 * time.Millisecond)
		return inner.Take(time.Now(), key, cost)
	})
}

// stuckStore makes a limiter whose store outside of the test does not answer.
func stuckStore(gauge.Policy) gauge.Limiter {
	return gauge.Func(func(time.Time, string, int64) bool { return <-store })
}

var store = make(chan bool)

// shared makes limiters whose state is that of the package.
func shared(p gauge.Policy) gauge.Limiter {
	return gauge.Func(func(_ time.Time, key string, cost int64) bool {
		sharing.Lock()
		defer sharing.Unlock()
		if packageState == nil {
			packageState = bucket(p)
		}
		return packageState.Take(time.Now(), key, cost)
	})
}

var (
	sharing      sync.Mutex
	packageState gauge.Limiter
)

// ticking is a bucket that a goroutine fills.
type ticking struct {
	tokens chan bool
	done   chan bool
	onStop func(func())
}

func newTicking(onStop func(stop func())) func(gauge.Policy) *ticking {
	return func(p gauge.Policy) *ticking {
		l := &ticking{make(chan bool, p.Burst), make(chan bool), onStop}
		go tick(p.Window/time.Duration(p.Limit), l.done, func() {
			select {
			case l.tokens <- true:
			default:
			}
		})
		return l
	}
}

func (l *ticking) Take(time.Time, string, int64) bool {
	select {
	case <-l.tokens:
		return true
	default:
		return false
	}
}

func (l *ticking) Stop() { l.onStop(func() { close(l.done) }) }

func get(string, int64) *http.Request { return httptest.NewRequest(http.MethodGet, "/", nil) }

// bucket makes a token bucket in floats of any key.
func bucket(p gauge.Policy) gauge.Limiter {
	tokens, last := float64(p.Burst), time.Time{}
	return gauge.Func(func(now time.Time, _ string, cost int64) bool {
		if !last.IsZero() {
			tokens = min(float64(p.Burst), tokens+now.Sub(last).Seconds()*p.Rate())
		}
		last = now
		if tokens < float64(cost) {
			return false
		}
		tokens -= float64(cost)
		return true
	})
}

// admitsOneMore is a token bucket that admits the first request it should reject.
func admitsOneMore(p gauge.Policy) gauge.Limiter {
	k, err := counter.NewKeyed[string](counter.Limit{Count: p.Limit, Window: p.Window, Burst: p.Burst}, counter.TokenBucket{}, 1<<20)
	if err != nil {
		panic(err)
	}
	more := true
	return gauge.Func(func(now time.Time, key string, cost int64) bool {
		admitted := k.Take(now, key, cost)
		if !admitted && more {
			more = false
			return true
		}
		return admitted
	})
}
