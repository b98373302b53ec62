package live_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

const file = "testdata/limits.yaml"

// bucket returns a limiter that is an exact token bucket of 100/s on the real clock.
func bucket(burst int64) live.Func {
	start := time.Now()
	var mu sync.Mutex
	b := counting.NewTokenBucket(counting.Limit{Count: 100, Window: 1e9}, counting.TokenBucketOptions{Burst: burst})
	return func(context.Context, live.Request) (live.Verdict, error) {
		mu.Lock()
		defer mu.Unlock()
		now := int64(time.Since(start))
		if b.Take(now, 1).Admitted() {
			return live.Verdict{Admit: true}, nil
		}
		return live.Verdict{RetryAfter: time.Duration(b.RetryAt(now, 1) - now), RetryUnit: 1}, nil
	}
}

// recorder is a test that records how it fails and what it logs.
type recorder struct {
	testing.TB
	text, log string
}

func (r *recorder) Errorf(format string, args ...any) { r.text += fmt.Sprintf(format, args...) }

func (r *recorder) Log(args ...any) { r.log += fmt.Sprintln(args...) }

// TestOnlyViolationsThatAreCertainFail runs an exact limiter, which passes however busy
// the machine is, one of twice the burst and more, which cannot pass, and an
// expectation that cannot hold.
func TestOnlyViolationsThatAreCertainFail(t *testing.T) {
	open := func(context.Context, live.Request) (live.Verdict, error) { return live.Verdict{Admit: true}, nil }
	for _, c := range []struct {
		scenario, fails string
		limiter         func() live.Func
	}{
		{"bucket", "", func() live.Func { return bucket(20) }},
		{"bucket", "go: over the limit (certified: ", func() live.Func { return bucket(60) }},
		{"refuses", "expect failed: go rejected_pct >= 10", func() live.Func { return open }},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			d := live.Test(r, file, c.limiter(), live.Scenario(c.scenario))
			for again := 0; c.fails != "" && r.text == "" && late(t, d); again++ {
				if again == 5 {
					t.Log("the machine is too busy to send in time, so nothing is certain")
					return
				}
				d = live.Test(r, file, c.limiter(), live.Scenario(c.scenario))
			}
			if (c.fails == "") != (r.text == "") || !strings.Contains(r.text, c.fails) {
				t.Errorf("failed with %q, want %q", r.text, c.fails)
			}
			if got := row(t, d).Live.Sender.Sent; got != 600 || !resultstest.Decode(t, d).IsLive() {
				t.Errorf("%d requests were sent, or the document is not live", got)
			}
			if c.fails == "" && row(t, d).Live.Promises == nil {
				t.Error("the times to retry after are not in the document")
			}
		})
	}
}

// late reports whether the sender was so late that a limiter may have kept its limit.
func late(t testing.TB, document []byte) bool {
	return row(t, document).Live.Sender.Late != ""
}

func row(t testing.TB, document []byte) results.Result {
	for _, r := range resultstest.Decode(t, document).Results {
		if r.Algorithm == live.RowName {
			return r
		}
	}
	return results.Result{}
}

// TestRunRefuses checks what cannot be run.
func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		file, want string
		options    []live.Option
	}{
		{"testdata/none.yaml", "no such file", nil},
		{file, "has 3 scenarios", nil},
		{file, "no scenario is called x", []live.Option{live.Scenario("x")}},
		{file, `not "leaky"`, []live.Option{live.Scenario("bucket"), live.Judge("leaky")}},
		{file, "tolerance", []live.Option{live.Scenario("bucket"), live.Tolerance(-1)}},
		{file, "the timeout is -1ns", []live.Option{live.Scenario("bucket"), live.Timeout(-1)}},
		{file, "resolution of -1 ns", []live.Option{live.Scenario("bucket"), live.Resolution(-1)}},
		{file, `no algorithm called "x"`, []live.Option{live.Scenario("bucket"), live.Predict("x")}},
		{file, "the cap", []live.Option{live.Scenario("bucket"), live.Caps(10, 0, 0)}},
	} {
		d, err := live.Run(t.Context(), c.file, bucket(20), c.options...)
		if d != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
	for _, target := range []live.Target{nil, live.Func(nil)} {
		if d, err := live.Run(t.Context(), file, target, live.Scenario("bucket")); d != nil || err == nil {
			t.Errorf("a nil target runs: %v", err)
		}
	}
}

// TestInterruptedRun checks that a run that is cancelled returns what it has, and that
// errors are counted by their text.
func TestInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	var mu sync.Mutex
	d, err := live.Run(ctx, file, live.Func(func(context.Context, live.Request) (live.Verdict, error) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 50 {
			cancel()
		}
		if n%2 == 0 {
			return live.Verdict{}, errors.New("store down")
		}
		return live.Verdict{Admit: true}, nil
	}), live.Scenario("bucket"))
	if !errors.Is(err, context.Canceled) || d == nil || !resultstest.Decode(t, d).Partial {
		t.Fatalf("document %v, error %v", d != nil, err)
	}
	l := row(t, d).Live
	if len(l.Failures) != 1 || l.Failures[0].Class != "store down" || l.Failures[0].Count < 25 || l.Sender.Sent >= 600 {
		t.Errorf("%+v, %d sent", l.Failures, l.Sender.Sent)
	}
}

// TestNothingSent checks that a run that ends before its first request has no document.
func TestNothingSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := live.Run(ctx, file, bucket(20), live.Scenario("bucket"))
	if d != nil || err != context.Canceled {
		t.Errorf("document %v, error %v", d != nil, err)
	}
}

// TestNoAnswers checks that nothing is said of answers and of a prediction if every
// request fails, and that the log of a test says why the run could not be evaluated.
func TestNoAnswers(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	d := live.Test(r, file, live.Func(func(context.Context, live.Request) (live.Verdict, error) {
		return live.Verdict{}, errors.New("store down")
	}), live.Scenario("bucket"))
	const want = "600 of 600 requests failed; at most 5 % may"
	if got := row(t, d).Live.Unevaluated; got != want {
		t.Errorf("unevaluated because %q, want %q", got, want)
	}
	if r.text != "" || !strings.Contains(r.log, "could not be evaluated: "+want) {
		t.Errorf("the test fails with %q and logs %q", r.text, r.log)
	}
	text := table.OfTest(resultstest.Decode(t, d), measure.Metrics())
	for _, wrong := range []string{"answers after", "measured minus", "interrupted"} {
		if strings.Contains(text, wrong) {
			t.Errorf("%q in:\n%s", wrong, text)
		}
	}
	if !strings.Contains(text, "without a verdict: 600 store down") {
		t.Error(text)
	}
}

// TestHerdThatReturns runs 16 clients at once against a limiter that answers when all have
// come, admits one of them and tells all others to return at the same time, when it admits
// one more.
func TestHerdThatReturns(t *testing.T) {
	t.Parallel()
	var start time.Time // when the last of the herd came
	var asked int
	var mu sync.Mutex
	all := make(chan bool)
	d, err := live.Run(t.Context(), file, live.Func(func(ctx context.Context, _ live.Request) (live.Verdict, error) {
		mu.Lock()
		if asked++; asked == 16 {
			start = time.Now()
			close(all)
		}
		number := asked
		mu.Unlock()
		select {
		case <-all:
		case <-ctx.Done():
			return live.Verdict{}, ctx.Err()
		}
		if number%16 == 1 {
			return live.Verdict{Admit: true}, nil
		}
		return live.Verdict{RetryAfter: time.Until(start.Add(time.Second)), RetryUnit: time.Minute}, nil
	}), live.Scenario("herd"))
	if err != nil {
		t.Fatal(err)
	}
	l := row(t, d).Live
	switch {
	case asked < 31:
		t.Logf("the machine is too busy: %d requests", asked)
	case asked > 31:
		t.Errorf("%d requests, want 16 and 15 retries", asked)
	case l.Promises.Held != 1 || l.Promises.Taken != 14:
		t.Errorf("%+v, want 1 held and 14 taken", *l.Promises)
	}
	if l.Sender.Sent != int64(asked) {
		t.Errorf("%d sent, %d asked", l.Sender.Sent, asked)
	}
}
