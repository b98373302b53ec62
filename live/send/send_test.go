package send

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// answerFunc is a target.
type answerFunc func(ctx context.Context, r *exchange.Request) (exchange.Answer, error)

func (f answerFunc) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	return f(ctx, r)
}
func (answerFunc) Close() error { return nil }

// planned returns n requests that are gap apart.
func planned(n int, gap time.Duration) []exchange.Exchange {
	all := make([]exchange.Exchange, n)
	for i := range all {
		all[i] = exchange.Exchange{Answer: exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated}
		all[i].Request = exchange.Request{Number: int64(i), IntendedNs: int64(i) * int64(gap), Key: "k", Cost: 1}
	}
	return all
}

func send(t *testing.T, ctx context.Context, all []exchange.Exchange, o Options, target answerFunc) *Result {
	t.Helper()
	r, err := Run(ctx, all, target, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// count returns the exchanges with a verdict and a failure.
func count(r *Result, v exchange.Verdict, failure string) (n int) {
	for i := range r.Exchanges {
		if e := &r.Exchanges[i]; e.Verdict == v && e.Failure == failure {
			n++
		}
	}
	return n
}

// TestOpenLoop checks that no send waits for an answer: none comes until all
// requests have been sent, whether they are due at different times or at once.
func TestOpenLoop(t *testing.T) {
	t.Run("in turn", func(t *testing.T) { openLoop(t, 50*time.Microsecond) })
	t.Run("at once", func(t *testing.T) { openLoop(t, 0) })
}

func openLoop(t *testing.T, gap time.Duration) {
	const n = 2000
	var asked atomic.Int64
	all := make(chan struct{})
	var last Progress
	r := send(t, t.Context(), planned(n, gap), Options{Timeout: time.Minute, Progress: func(p Progress) { last = p }}, func(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
		if asked.Add(1) == n {
			close(all)
		}
		select {
		case <-all:
		case <-ctx.Done():
			return exchange.Answer{}, ctx.Err()
		}
		a := exchange.Plain(r.Number%3 == 0)
		a.Remaining = r.Number
		return a, nil
	})
	var lastSent int64
	for i, e := range r.Exchanges {
		want := exchange.Rejected
		if i%3 == 0 {
			want = exchange.Admitted
		}
		if e.Verdict != want || e.Remaining != int64(i) || e.Failure != "" || e.SentNs < e.IntendedNs || e.AnsweredNs < e.SentNs {
			t.Fatalf("request %d: %+v", i, e)
		}
		lastSent = max(lastSent, e.SentNs)
	}
	for i, e := range r.Exchanges {
		if e.AnsweredNs < lastSent {
			t.Fatalf("request %d was answered before all were sent", i)
		}
	}
	if q := r.Sender; r.Partial || q.Sent != n || q.InFlightPeak != n || q.LatenessMaxNs < q.LatenessP99Ns || q.LatenessP50Ns < 0 {
		t.Errorf("%+v", r)
	}
	if last.Sent != n || last.Planned != n || last.Admitted != (n+2)/3 || last.Rejected != n-(n+2)/3 || last.InFlight != 0 {
		t.Errorf("the last progress is %+v", last)
	}
}

func TestCapOnInFlight(t *testing.T) {
	t.Run("in turn", func(t *testing.T) { capOnInFlight(t, time.Millisecond) })
	t.Run("at once", func(t *testing.T) { capOnInFlight(t, 0) })
}

func capOnInFlight(t *testing.T, gap time.Duration) {
	release := make(chan struct{})
	var released bool
	o := Options{Caps: Caps{InFlight: 3}, Timeout: time.Hour, ProgressEvery: time.Millisecond, Progress: func(p Progress) {
		if p.HeldBack == 7 && p.InFlight == 3 && !released {
			released = true
			close(release)
		}
	}}
	r := send(t, t.Context(), planned(10, gap), o, func(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return exchange.Plain(true), nil
	})
	if count(r, exchange.Admitted, "") != 3 || count(r, exchange.NotSent, HeldBack) != 7 || r.Sender.HeldBack != 7 || r.Sender.InFlightPeak != 3 || r.Partial {
		t.Errorf("%+v", r)
	}
}

// TestInterrupt ends the context while a call is in flight that ignores it.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	release := make(chan struct{})
	returned := make(chan struct{})
	r := send(t, ctx, planned(5, time.Hour), Options{Grace: time.Millisecond}, func(_ context.Context, r *exchange.Request) (exchange.Answer, error) {
		defer close(returned)
		cancel()
		<-release
		return exchange.Plain(true), nil
	})
	close(release)
	<-returned // it may not change the result any more
	time.Sleep(time.Millisecond)
	if count(r, exchange.Failed, Unanswered) != 1 || count(r, exchange.NotSent, AfterEnd) != 4 || !r.Partial || r.Stopped != Interrupted {
		t.Errorf("%+v", r)
	}
	if e := r.Exchanges[0]; e.AnsweredNs < e.SentNs {
		t.Errorf("%+v", e)
	}
}

// TestInterruptEndsCalls interrupts a run whose calls return when their context ends: no
// answer is due to the interrupt, and to no timeout or failure of the target.
func TestInterruptEndsCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := send(t, ctx, planned(3, time.Millisecond), Options{Grace: time.Millisecond}, func(call context.Context, r *exchange.Request) (exchange.Answer, error) {
		cancel()
		<-call.Done()
		return exchange.Answer{}, errors.New("any text")
	})
	if n := count(r, exchange.Failed, Unanswered); n < 1 || n+count(r, exchange.NotSent, AfterEnd) != 3 || !r.Partial || r.Stopped != Interrupted {
		t.Errorf("%+v", r)
	}
}

// TestInterruptWaitsForAnswers checks that a request in flight gets its answer
// within the time of grace.
func TestInterruptWaitsForAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := send(t, ctx, planned(2, time.Hour), Options{Grace: time.Minute}, func(context.Context, *exchange.Request) (exchange.Answer, error) {
		cancel()
		time.Sleep(5 * time.Millisecond)
		return exchange.Plain(true), nil
	})
	if count(r, exchange.Admitted, "") != 1 || count(r, exchange.NotSent, AfterEnd) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestFailures(t *testing.T) {
	var asked atomic.Int64
	// One call at a time, so that the failures are in a row.
	o := Options{Caps: Caps{InFlight: 1}, Failures: 10, FailingFor: time.Nanosecond}
	r := send(t, t.Context(), planned(10_000, time.Millisecond), o, func(context.Context, *exchange.Request) (exchange.Answer, error) {
		if asked.Add(1) == 9 {
			return exchange.Plain(true), nil
		}
		return exchange.Answer{}, errors.New("connection refused")
	})
	if got := asked.Load(); got != 19 || count(r, exchange.Failed, "connection refused") != 18 || count(r, exchange.Admitted, "") != 1 {
		t.Errorf("asked %d times: %+v", got, r.Sender)
	}
	if !r.Partial || r.Stopped != "10 requests in a row failed, the last one with: connection refused" {
		t.Errorf("stopped: %s", r.Stopped)
	}
}

// TestMomentOfFailures checks that failures of less than the stated time stop no run, and
// those that take longer do.
func TestMomentOfFailures(t *testing.T) {
	fail := func(until int64, failing time.Duration) *Result {
		o := Options{Caps: Caps{InFlight: 1}, Failures: 2, FailingFor: failing}
		return send(t, t.Context(), planned(max(200, int(until)), time.Millisecond), o, func(_ context.Context, r *exchange.Request) (exchange.Answer, error) {
			if r.Number < until {
				return exchange.Answer{}, errors.New("connection refused")
			}
			return exchange.Plain(true), nil
		})
	}
	if r := fail(10_000, 40*time.Millisecond); !r.Partial || count(r, exchange.NotSent, AfterEnd) == 0 || r.Sender.Sent < 2 {
		t.Errorf("failures without an end: %+v", r)
	}
	if r := fail(100, time.Hour); r.Partial {
		t.Errorf("a moment of failures: %+v", r.Stopped)
	}
}

func TestTimeout(t *testing.T) {
	r := send(t, t.Context(), planned(3, 0), Options{Timeout: time.Millisecond}, func(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
		<-ctx.Done()
		return exchange.Answer{}, errors.New("any text")
	})
	if count(r, exchange.Failed, Timeout) != 3 || r.Partial {
		t.Errorf("%+v", r)
	}
}

// A wait that cannot be judged costs the request its verdict, and not the run.
func TestTooLongWait(t *testing.T) {
	r := send(t, t.Context(), planned(3, 0), Options{}, func(_ context.Context, r *exchange.Request) (exchange.Answer, error) {
		a := exchange.Plain(true)
		a.WaitNs = longestWaitNs - 1 + r.Number
		return a, nil
	})
	if got := count(r, exchange.Failed, TooLong); got != 1 || count(r, exchange.Admitted, "") != 2 {
		t.Errorf("%d of 3 requests failed: %+v", got, r.Exchanges)
	}
}

// TestHungTarget checks that a run ends although a call does not. If a busy machine does
// not answer the other call before that either, the run gets twice as long.
func TestHungTarget(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for timeout := time.Millisecond; ; timeout *= 2 {
		r := send(t, t.Context(), planned(2, 0), Options{Timeout: timeout}, func(_ context.Context, r *exchange.Request) (exchange.Answer, error) {
			if r.Number == 1 {
				<-release
			}
			return exchange.Plain(true), nil
		})
		switch admitted, unanswered := count(r, exchange.Admitted, ""), count(r, exchange.Failed, Unanswered); {
		case admitted == 1 && unanswered == 1:
			return
		case unanswered < 2:
			t.Fatalf("%+v", r)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Timeout: -1}, "timeout is -1ns"},
		{Options{Caps: Caps{Requests: -5}}, "cap on requests is -5"},
	} {
		if _, err := Run(t.Context(), nil, nil, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
	if r := send(t, t.Context(), nil, Options{}, nil); r.Partial || r.Sender.Planned != 0 {
		t.Errorf("no requests: %+v", r)
	}
}
