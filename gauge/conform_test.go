package gauge_test

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// TestConform checks that our own counter conforms exactly, although it reads the
// clock, and x/time/rate within a tolerance.
func TestConform(t *testing.T) {
	gauge.Conform(t, gauge.Use("exact", func(p gauge.Policy) gauge.Limiter {
		limit := counting.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}
		b := counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: p.Burst})
		return gauge.Func(func(_ time.Time, _ string, cost int64) bool { return b.Take(time.Now().UnixNano(), cost).Admitted() })
	}, gauge.PerKey(), gauge.As("token-bucket")))
	gauge.Conform(t, gauge.Use("rate", func(p gauge.Policy) gauge.Limiter {
		l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
		return gauge.Func(func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, int(cost)) })
	}, gauge.PerKey(), gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}

// tick calls f at each tick until stop is closed.
func tick(every time.Duration, stop <-chan bool, f func()) {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticks.C:
			f()
		}
	}
}

// cleaning is an exact bucket of a kind whose goroutine looks for old keys from time to
// time.
type cleaning struct {
	mu     sync.Mutex
	policy gauge.Policy
	keys   map[string]*counting.Single
	stop   chan bool
}

func newCleaning(every time.Duration) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		l := &cleaning{policy: p, keys: map[string]*counting.Single{}, stop: make(chan bool)}
		go tick(every, l.stop, func() {}) // every key may still be in use
		return l
	}
}

func (l *cleaning) Take(_ time.Time, key string, cost int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.keys[key]
	if b == nil {
		p := l.policy
		b = counting.NewTokenBucket(counting.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}, counting.TokenBucketOptions{Burst: p.Burst})
		l.keys[key] = b
	}
	return b.Take(time.Now().UnixNano(), cost).Admitted()
}

func (l *cleaning) Stop() { close(l.stop) }

// TestConformWithTimers checks that timers of a right limiter do not end a comparison.
func TestConformWithTimers(t *testing.T) {
	for _, every := range []time.Duration{time.Minute, time.Second} {
		gauge.Conform(t, gauge.Use("cleaning", newCleaning(every), gauge.As("token-bucket")))
	}
}

// windows is a fixed window whose goroutine empties all keys at each edge.
type windows struct {
	mu     sync.Mutex
	policy gauge.Policy
	used   map[string]int64
	stop   chan bool
}

func newWindows(p gauge.Policy) *windows {
	l := &windows{policy: p, used: map[string]int64{}, stop: make(chan bool)}
	go tick(p.Window, l.stop, func() {
		l.mu.Lock()
		clear(l.used)
		l.mu.Unlock()
	})
	return l
}

func (l *windows) Take(_ time.Time, key string, cost int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cost > l.policy.Limit-l.used[key] {
		return false
	}
	l.used[key] += cost
	return true
}

func (l *windows) Stop() { close(l.stop) }

// TestConformWithTimersOfWindows checks that sessions are as short as timers need that fire
// once in each window, also where windows are short.
func TestConformWithTimersOfWindows(t *testing.T) {
	gauge.Conform(t, gauge.Use("mine", newWindows, gauge.As("fixed-window")))
}

// TestConformOfRoundTrips checks that calls that overlap are compared, wherever in them the
// limiter decides.
func TestConformOfRoundTrips(t *testing.T) {
	const ms = time.Millisecond
	limits := gauge.Limits(gauge.Policy{Limit: 20, Window: time.Second, Burst: 20}, gauge.Policy{Limit: 3, Window: 3 * ms, Burst: 3})
	for _, trip := range [][2]time.Duration{{2 * ms, 7 * ms}, {9 * ms, 0}} {
		gauge.Conform(t, gauge.Use("window", exactWindow(trip[0], trip[1]), gauge.PerKey(), gauge.As("fixed-window"), limits))
	}
	gauge.Conform(t, gauge.Use("bucket", func(p gauge.Policy) gauge.Limiter {
		inner := counters("token-bucket", true)(p)
		return gauge.Func(func(now time.Time, key string, cost int64) bool {
			time.Sleep(2 * ms)
			defer time.Sleep(7 * ms)
			return inner.Take(now, key, cost)
		})
	}, gauge.PerKey(), gauge.As("token-bucket"), limits))
}

// TestConformOfRace fails, which TestConformOfRaceFails expects.
func TestConformOfRace(t *testing.T) {
	if os.Getenv("GAUGE_TEST_BUG") == "" {
		t.Skip("only with GAUGE_TEST_BUG=1: TestConformOfRaceFails expects its failure")
	}
	for name, l := range map[string]func(gauge.Policy) gauge.Limiter{"race": racingWindow, "random": jittered("fixed-window", false), "seldom": seldom(700, false, new(atomic.Bool))} {
		t.Run(name, func(t *testing.T) {
			gauge.Conform(t, gauge.Use("mine", l, gauge.PerKey(), gauge.As("fixed-window"), gauge.Costs(1, 1000), gauge.Limits(gauge.Policy{Limit: 20, Window: time.Second, Burst: 20})))
		})
	}
}

// TestConformOfRaceFails checks that a race is found, and that round trips of random length
// are refused, and those of few calls.
func TestConformOfRaceFails(t *testing.T) {
	out := inProcess(t, "^TestConformOfRace$", "GAUGE_TEST_BUG=1")
	for _, want := range []string{"does not decide like fixed-window", "calls of the limiter overlap", "only calls that all take the same are compared", "one call takes no virtual time"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
}

// TestConformLogsOverflow checks that a limiter whose integers overflow only with numbers
// that hardly any scenario has conforms.
func TestConformLogsOverflow(t *testing.T) {
	gauge.Conform(t, gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		token := int64(p.Window)
		level, last := p.Burst*token, time.Time{}
		return gauge.Func(func(now time.Time, _ string, cost int64) bool {
			if !last.IsZero() {
				level = min(p.Burst*token, level+int64(now.Sub(last))*p.Limit)
			}
			if last = now; cost*token > level {
				return false
			}
			level -= cost * token
			return true
		})
	}, gauge.PerKey(), gauge.TakesNow(), gauge.As("token-bucket")))
}

// TestConformOfLogs checks that a log with an entry for each token, and one whose size is
// the limit, are not asked for more than this machine holds, and that costs of 0 fail
// nothing.
func TestConformOfLogs(t *testing.T) {
	gauge.Conform(t, gauge.Use("log", func(p gauge.Policy) gauge.Limiter {
		log := make([]int64, 0, p.Limit)
		return gauge.Func(func(now time.Time, _ string, cost int64) bool {
			at := now.UnixNano()
			for len(log) > 0 && log[0] <= at-int64(p.Window) {
				log = log[1:]
			}
			if cost == 0 || cost > p.Limit || int64(len(log))+cost > p.Limit {
				return false
			}
			for range cost {
				log = append(log, at)
			}
			return true
		})
	}, gauge.PerKey(), gauge.TakesNow(), gauge.As("sliding-window-log")))
}

// TestConformWithinBounds checks that Costs and Limits bound what a limiter is asked.
func TestConformWithinBounds(t *testing.T) {
	limits := []gauge.Policy{{Limit: 100, Window: time.Minute, Burst: 20}, {Limit: 7, Window: time.Second, Burst: 3}}
	gauge.Conform(t, gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		if (p.Limit != 100 || p.Burst != 20) && (p.Limit != 7 || p.Burst != 3) {
			t.Errorf("limit %d, burst %d", p.Limit, p.Burst)
		}
		inner := counters("token-bucket", false)(p)
		return gauge.Func(func(now time.Time, key string, cost int64) bool {
			if cost < 1 || cost > 5 {
				t.Errorf("cost %d", cost)
			}
			return inner.Take(now, key, cost)
		})
	}, gauge.PerKey(), gauge.TakesNow(), gauge.As("token-bucket"), gauge.Costs(1, 5), gauge.Limits(limits...)))
}

// TestConformLimits checks that limits that cannot be kept, and limiters that share state, are
// refused with the reason, which names the row once.
func TestConformLimits(t *testing.T) {
	if os.Getenv("GAUGE_TEST_LIMITS") != "" {
		t.Run("limit", func(t *testing.T) {
			gauge.Conform(t, gauge.Use("mine", bucket, gauge.As("token-bucket"), gauge.Limits(gauge.Policy{Limit: 5, Burst: 5})))
		})
		gauge.Conform(t, gauge.Use("mine", shared, gauge.As("token-bucket")))
		return
	}
	if out := inProcess(t, "^TestConformLimits$", "GAUGE_TEST_LIMITS=1"); !strings.Contains(out, "mine: gauge.Limits: window of 0 ns is outside 1 to 2^60") || !strings.Contains(out, ": mine: its limiters share state") || strings.Contains(out, "mine: mine") {
		t.Errorf("%s", out)
	}
}

// forgetful is a token bucket by the argument now, with a goroutine that forgets keys by the
// clock of package time after some idle time.
type forgetful struct {
	mu   sync.Mutex
	keys map[string]*counting.Single
	last map[string]time.Time
	p    gauge.Policy
	done chan bool
}

func forgetting(idle time.Duration) func(gauge.Policy) *forgetful {
	return func(p gauge.Policy) *forgetful {
		f := &forgetful{keys: map[string]*counting.Single{}, last: map[string]time.Time{}, p: p, done: make(chan bool)}
		go tick(time.Minute, f.done, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			for key, last := range f.last {
				if time.Since(last) > idle {
					delete(f.keys, key)
					delete(f.last, key)
				}
			}
		})
		return f
	}
}

func (f *forgetful) Take(now time.Time, key string, cost int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.keys[key] == nil {
		f.keys[key] = counting.NewTokenBucket(counting.Limit{Count: f.p.Limit, Window: int64(f.p.Window), Burst: f.p.Burst}, counting.TokenBucketOptions{Burst: f.p.Burst})
	}
	f.last[key] = now
	return f.keys[key].Take(now.UnixNano(), cost).Admitted()
}

func (f *forgetful) Close() { close(f.done) }

// TestConformForgetful checks that goroutines of a limiter that is given the time run in
// virtual time: one that forgets keys too early is found, and one that does not passes.
func TestConformForgetful(t *testing.T) {
	limits := gauge.Limits(gauge.Policy{Limit: 5, Window: 24 * time.Hour, Burst: 5})
	if os.Getenv("GAUGE_TEST_FORGETS") != "" {
		gauge.Conform(t, gauge.Use("mine", forgetting(5*time.Minute), gauge.As("token-bucket"), limits))
		return
	}
	gauge.Conform(t, gauge.Use("mine", forgetting(24*time.Hour), gauge.As("token-bucket"), limits))
	if out := inProcess(t, "^TestConformForgetful$", "GAUGE_TEST_FORGETS=1"); !strings.Contains(out, "does not decide like token-bucket") {
		t.Errorf("%s", out)
	}
}
