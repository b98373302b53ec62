package gauge_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

var t *testing.T // of the test that an example is part of

// A limiter with the time as an argument. As compares each verdict with that of the
// exact token bucket. x/time/rate counts in floats, so a verdict may differ close to
// the instant at which a token becomes available.
func ExampleTest() {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRate,
		gauge.PerKey(), gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}

func TestMyLimiter(t *testing.T) {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", func(p gauge.Policy) gauge.Func {
		l := mine.New(p.Rate(), p.Burst)
		return func(_ time.Time, key string, _ int64) bool { return l.Allow(key) }
	}))
}

// mine stands for a package with a limiter of several keys that reads the clock.
var mine = struct {
	New func(rate float64, burst int64) *allowing
}{func(rate float64, burst int64) *allowing { return &allowing{rate, burst, map[string]*rated{}} }}

type rated = rate.Limiter

type allowing struct {
	rate  float64
	burst int64
	keys  map[string]*rated
}

func (l *allowing) Allow(key string) bool {
	if l.keys[key] == nil {
		l.keys[key] = rate.NewLimiter(rate.Limit(l.rate), int(l.burst))
	}
	return l.keys[key].Allow()
}

// TestExamplesOfPages checks that the examples of docs/gauge.md and of the package's
// documentation are those of this file, which compiles.
func TestExamplesOfPages(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	compiled, page := read("example_test.go"), read("../docs/gauge.md")
	of := strings.ReplaceAll(read("doc.go"), "\n//\t", "\n")
	for name, texts := range map[string][]string{"TestMyLimiter(": {page, of}, "newRate(": {page}} {
		_, rest, _ := strings.Cut(compiled, "\nfunc "+name)
		body, _, _ := strings.Cut(rest, "\n}\n")
		for i, text := range texts {
			if !strings.Contains(text, "\nfunc "+name+body+"\n}\n") {
				t.Errorf("%d: %s is another:\n%s", i, name, body)
			}
		}
	}
}

func newRate(p gauge.Policy) gauge.Func {
	l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
	return func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, int(cost)) }
}

func TestRate(t *testing.T) {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRate,
		gauge.PerKey(), gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}

// A limiter that reads the clock needs no change: it runs in a bubble, where time.Now
// is virtual.
func ExampleFunc() {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRateThatReadsTheClock, gauge.PerKey()))
}

func newRateThatReadsTheClock(p gauge.Policy) gauge.Func {
	l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
	return func(_ time.Time, _ string, _ int64) bool { return l.Allow() }
}

func TestRateInBubble(t *testing.T) {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRateThatReadsTheClock,
		gauge.PerKey(), gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}

// A limiter that blocks its caller. It is compared with the exact queue of the same
// rate, burst and longest wait.
func ExampleWaitFunc() {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRateThatWaits, gauge.PerKey(), gauge.MaxWait(time.Second)))
}

func newRateThatWaits(p gauge.Policy) gauge.WaitFunc {
	l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
	return func(ctx context.Context, _ string, cost int64) error { return l.WaitN(ctx, int(cost)) }
}

// A limiter that returns the wait, with the time as an argument.
func ExampleReserveFunc() {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newRateThatReserves, gauge.PerKey(), gauge.MaxWait(time.Second)))
}

func newRateThatReserves(p gauge.Policy) gauge.ReserveFunc {
	l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
	return func(now time.Time, _ string, cost int64) (time.Duration, bool) {
		r := l.ReserveN(now, int(cost))
		delay := r.DelayFrom(now)
		if !r.OK() || delay > p.MaxWait {
			r.CancelAt(now) // gives the tokens back
			return 0, false
		}
		return delay, true
	}
}

// newMiddlewareThatWaits makes handlers that delay requests.
func newMiddlewareThatWaits(p gauge.Policy) gauge.Waiter {
	wait := newRateThatWaits(p)
	return gauge.WaitingHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait(r.Context(), "", r.ContentLength) != nil {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
		}
	}), func(_ string, cost int64) *http.Request {
		return httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(make([]byte, cost)))
	})
}

// TestRateWaits checks that all ways to wait give the same figures.
func TestRateWaits(t *testing.T) {
	var waits [3]float64
	for i, row := range []gauge.Row{
		gauge.Use("mine", newRateThatWaits, gauge.PerKey(), gauge.MaxWait(time.Second)),
		gauge.Use("mine", newRateThatReserves, gauge.PerKey(), gauge.MaxWait(time.Second)),
		gauge.Use("mine", newMiddlewareThatWaits, gauge.PerKey(), gauge.MaxWait(time.Second)),
	} {
		gauge.Test(t, "testdata/limits.yaml", row)
		for _, r := range resultstest.Decode(t, gauge.Run(t, "testdata/limits.yaml", row)).Results {
			if r.Algorithm == "mine" && r.Scenario == "steady overload" {
				waits[i] = *r.Metrics["wait_mean_ms"].Mean
			}
		}
	}
	if waits[0] < 500 || waits[0]/waits[1] > 1.0001 || waits[1]/waits[0] > 1.0001 {
		t.Errorf("mean waits in ms: %v by Wait, %v by Reserve", waits[0], waits[1])
	}
	if waits[2] != waits[0] {
		t.Errorf("mean waits in ms: %v by a handler, %v by Wait", waits[2], waits[0])
	}
}

// An HTTP middleware is judged by the status of its answers. gauge.PerKey would give
// each key a middleware of its own.
func ExampleHandler() {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newMiddleware))
}

func newMiddleware(p gauge.Policy) gauge.Limiter {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) })
	return gauge.Handler(limitByAddress(p, hello), func(key string, _ int64) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = key
		return r
	})
}

// limitByAddress is the middleware: a token bucket for each address.
func limitByAddress(p gauge.Policy, next http.Handler) http.Handler {
	limiters := map[string]*rate.Limiter{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := limiters[r.RemoteAddr]
		if l == nil {
			l = rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
			limiters[r.RemoteAddr] = l
		}
		if !l.Allow() {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestMiddleware(t *testing.T) {
	gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", newMiddleware, gauge.As("token-bucket"), gauge.Tolerance(time.Microsecond)))
}
