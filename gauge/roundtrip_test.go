package gauge_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// window is a fixed window in a store that is reached over a network.
type window struct {
	policy     gauge.Policy
	there      time.Duration // to the store
	back       time.Duration
	start, sum atomic.Int64
}

// decide decides at the time of the store.
func (w *window) decide(now time.Time, cost int64) bool {
	if start := now.UnixNano() / int64(w.policy.Window); w.start.Swap(start) != start {
		w.sum.Store(0)
	}
	if w.sum.Load()+cost > w.policy.Limit {
		return false
	}
	w.sum.Add(cost)
	return true
}

// exactWindow returns a window whose store decides in one step.
func exactWindow(there, back time.Duration) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		w := &window{policy: p, there: there, back: back}
		var mu sync.Mutex
		return gauge.Func(func(_ time.Time, _ string, cost int64) bool {
			time.Sleep(w.there)
			mu.Lock()
			admitted := w.decide(time.Now(), cost)
			mu.Unlock()
			time.Sleep(w.back)
			return admitted
		})
	}
}

// racingWindow returns a window that is read and written in two steps.
func racingWindow(p gauge.Policy) gauge.Limiter {
	w := &window{policy: p}
	return gauge.Func(func(now time.Time, _ string, cost int64) bool {
		if start := now.UnixNano() / int64(p.Window); w.start.Swap(start) != start {
			w.sum.Store(0)
		}
		sum := w.sum.Load()
		time.Sleep(9 * time.Millisecond)
		if sum+cost > p.Limit {
			return false
		}
		w.sum.Store(sum + cost)
		return true
	})
}

const overloadedWindow = `
version: 1
duration: 20s
replications: 2
scenarios:
  - name: overload
    policy: {limit: 100/s, burst: 100, reference: fixed-window}
    traffic: [{pattern: poisson, rate: 400/s}]
    algorithms: [fixed-window, mine]
`

// TestRoundTrips checks limiters whose calls take virtual time: those that are right
// are, wherever the time passes, and have the over-limit of the counter.
func TestRoundTrips(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, overloadedWindow)
	const ms = time.Millisecond
	for name, l := range map[string]func(gauge.Policy) gauge.Limiter{
		"halfway": exactWindow(9*ms/2, 9*ms/2), "at the end": exactWindow(9*ms, 0), "at once": exactWindow(0, 9*ms), "slow": exactWindow(15*ms, 15*ms), "uneven": exactWindow(2*ms, 7*ms),
	} {
		d := resultstest.Decode(t, gauge.Run(t, file, gauge.Use("mine", l, gauge.As("fixed-window"))))
		for _, r := range d.Results {
			switch over, _ := r.Metrics["over_limit_pct"]; {
			case r.Algorithm != "mine":
			case r.FirstDifference != nil || *r.Metrics["differing_verdicts"].Mean != 0:
				t.Errorf("%s: %v verdicts differ, first %+v", name, *r.Metrics["differing_verdicts"].Mean, r.FirstDifference)
			case *over.Mean > 5:
				t.Errorf("%s: %v %% over the limit", name, *over.Mean)
			}
		}
	}
	early := ofMine(t, gauge.Run(t, file, gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		l := counters("token-bucket", false)(p)
		return gauge.Func(func(_ time.Time, key string, cost int64) bool {
			time.Sleep(2 * ms)
			defer time.Sleep(7 * ms)
			return l.Take(time.Now().Round(ms), key, cost)
		})
	}, gauge.As("token-bucket"))))
	if early.FirstDifference == nil || *early.Metrics["differing_verdicts"].Mean < 50 {
		t.Errorf("a clock of milliseconds changes %v verdicts", *early.Metrics["differing_verdicts"].Mean)
	}
	race := ofMine(t, gauge.Run(t, file, gauge.Use("mine", racingWindow, gauge.As("fixed-window"))))
	if race.FirstDifference == nil || *race.Metrics["differing_verdicts"].Mean < 1000 {
		t.Errorf("a race changes %v verdicts", *race.Metrics["differing_verdicts"].Mean)
	}
}

// TestRoundTripsWithRetries checks that callers retry when a call has returned, and that
// the retries are compared as well: those of right limiters do not differ, those of a race
// do.
func TestRoundTripsWithRetries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, strings.NewReplacer("    algorithms", "    retries: {attempts: 2, backoff: {constant: {time: 3ms}}}\n    algorithms", "20s", "6s").Replace(overloadedWindow))
	const ms = time.Millisecond
	for name, l := range map[string]func(gauge.Policy) gauge.Limiter{
		"at once": exactWindow(0, 9*ms), "halfway": exactWindow(9*ms/2, 9*ms/2), "random": jittered("fixed-window", false), "race": racingWindow,
	} {
		d := gauge.Run(t, file, gauge.Use("mine", l, gauge.As("fixed-window"), gauge.Draws()))
		r, builtIn := ofMine(t, d), resultstest.Decode(t, d).Results[1]
		if n := *r.Metrics["differing_verdicts"].Mean; (r.FirstDifference == nil) != (name != "race") || name == "race" && n < 300 {
			t.Errorf("%s: %v verdicts differ, first %+v", name, n, r.FirstDifference)
		}
		// What an exact window rejects, it rejects again after 3 ms: nearly all callers retry twice.
		if got, want := *r.Metrics["offered_requests"].Mean, *builtIn.Metrics["offered_requests"].Mean; name != "race" && (got < 0.95*want || got > 1.05*want) {
			t.Errorf("%s: %v attempts, %v of %s", name, got, want, builtIn.Algorithm)
		}
	}
}

// jittered makes an exact limiter in a store whose round trips have random lengths. With a
// race, the store is read when a request arrives and written on its way back.
func jittered(counter string, race bool) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		l, draw := counters(counter, true)(p), rand.New(rand.NewPCG(p.Seed, 0))
		var mu sync.Mutex
		sleep := func() {
			mu.Lock()
			d := time.Millisecond + time.Duration(draw.Int64N(8e6))
			mu.Unlock()
			time.Sleep(d)
		}
		return gauge.Func(func(now time.Time, key string, cost int64) bool {
			if race {
				free := l.Level(now, key) >= cost
				sleep()
				l.Take(now, key, cost)
				return free
			}
			sleep()
			admitted := l.Take(now, key, cost)
			sleep()
			return admitted
		})
	}
}

// TestRoundTripsOfRandomLength checks that no verdict of a right limiter is called wrong
// although nothing shows when it was given, and that those of a race are.
func TestRoundTripsOfRandomLength(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	for _, traffic := range []string{
		"{pattern: poisson, rate: 400/s}", "{pattern: poisson, rate: 130/s, cost: {uniform: {min: 1, max: 4}}}", "{pattern: poisson, rate: 90/s}, {pattern: herd, count: 80, every: 3s}",
	} {
		write(t, file, strings.NewReplacer("{pattern: poisson, rate: 400/s}", traffic, "replications: 2", "replications: 1").Replace(overloadedWindow))
		for _, counter := range []string{"token-bucket", "fixed-window", "sliding-window-log", "sliding-window-counter", "gcra", "segmented-window", "timer-bucket"} {
			r := ofMine(t, gauge.Run(t, file, gauge.Use("mine", jittered(counter, false), gauge.As(counter), gauge.Draws())))
			if r.FirstDifference != nil || *r.Metrics["differing_verdicts"].Mean != 0 || *r.Metrics["tolerated_verdicts"].Mean == 0 {
				t.Errorf("%s, %s: %v verdicts differ, %v are tolerated, first %+v", counter, traffic, *r.Metrics["differing_verdicts"].Mean, *r.Metrics["tolerated_verdicts"].Mean, r.FirstDifference)
			}
			r = ofMine(t, gauge.Run(t, file, gauge.Use("mine", jittered(counter, true), gauge.As(counter), gauge.Draws())))
			if r.FirstDifference == nil || *r.Metrics["differing_verdicts"].Mean < 1 {
				t.Errorf("%s, %s: a race changes %v verdicts", counter, traffic, *r.Metrics["differing_verdicts"].Mean)
			}
		}
	}
}

// TestRoundTripOfReserver checks that a request waits from the end of the round trip on,
// and that calls overlap: 150 requests per second take 9 ms each.
func TestRoundTripOfReserver(t *testing.T) {
	r := ofMine(t, gauge.Run(t, "testdata/steady.yaml", gauge.Use("mine", func(p gauge.Policy) gauge.ReserveFunc {
		inner := newRateThatReserves(p)
		return func(_ time.Time, key string, cost int64) (time.Duration, bool) {
			time.Sleep(9 * time.Millisecond)
			return inner(time.Now(), key, cost)
		}
	}, gauge.MaxWait(100*time.Millisecond))))
	if wait, under := *r.Metrics["wait_max_ms"].Mean, *r.Metrics["under_admission_pct"].Mean; wait < 100 || wait > 110 || under > 10 {
		t.Errorf("waits up to %v ms, under-admission %v %%", wait, under)
	}
}

// ofMine returns the row "mine" of a document.
func ofMine(t *testing.T, document []byte) results.Result {
	for _, r := range resultstest.Decode(t, document).Results {
		if r.Algorithm == "mine" {
			return r
		}
	}
	return results.Result{}
}

// TestCostOfProbe checks that a probe of a large limit makes few calls.
func TestCostOfProbe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, `{version: 1, duration: 1s, scenarios: [{name: large, policy: {limit: 1000000/s, burst: 1000000}, traffic: [{pattern: constant, rate: 240/s}], algorithms: [mine]}]}`)
	var calls atomic.Int64
	gauge.Run(t, file, gauge.Use("mine", func(p gauge.Policy) gauge.Limiter {
		l := bucket(p)
		return gauge.Func(func(now time.Time, key string, cost int64) bool { calls.Add(1); return l.Take(now, key, cost) })
	}))
	if n := calls.Load(); n > 50_000 {
		t.Errorf("%d calls for 240 requests", n)
	}
}

// seldom returns what makes a fixed window of which one call of so many takes virtual time.
// With a race, it writes back what it has read before. together is set when calls overlap.
func seldom(every int64, race bool, together *atomic.Bool) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		w := &window{policy: p}
		var calls, inside atomic.Int64
		return gauge.Func(func(_ time.Time, _ string, cost int64) bool {
			if inside.Add(1) > 1 {
				together.Store(true)
			}
			defer inside.Add(-1)
			refreshes, sum := calls.Add(1)%every == 0, w.sum.Load()
			if refreshes {
				time.Sleep(300 * time.Millisecond)
			}
			admitted := w.decide(time.Now(), cost)
			if race && refreshes {
				w.sum.Store(sum)
			}
			return admitted
		})
	}
}

// TestSeldomRoundTrips checks limiters of which few calls take virtual time, none in a
// probe: those that arrive meanwhile do not wait for them. What is right conforms, and a race shows.
func TestSeldomRoundTrips(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.yaml")
	write(t, file, strings.Replace(overloadedWindow, "fixed-window, mine", "fixed-window, mine, other", 1))
	for _, race := range []bool{false, true} {
		var together, others atomic.Bool
		r := ofMine(t, gauge.Run(t, file, gauge.Use("mine", seldom(3000, race, &together), gauge.As("fixed-window")), gauge.Use("other", seldom(3000, race, &others))))
		if differs := *r.Metrics["differing_verdicts"].Mean > 20; differs != race || differs != (r.FirstDifference != nil) || !together.Load() || !others.Load() {
			t.Errorf("race %t: %v verdicts differ, first %+v; calls overlap: %t, %t", race, *r.Metrics["differing_verdicts"].Mean, r.FirstDifference, together.Load(), others.Load())
		}
	}
}
