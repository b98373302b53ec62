package live

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// TestAdapterKeepsVerdicts checks that a request reaches the limiter as it is, and its
// verdict comes back in whole nanoseconds. Waits below 0 are none.
func TestAdapterKeepsVerdicts(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		verdict Verdict
		err     error
		want    exchange.Answer
	}{
		{Verdict{}, nil, exchange.Plain(false)},
		{Verdict{Admit: true}, nil, exchange.Plain(true)},
		{Verdict{Admit: true, Wait: -1}, nil, exchange.Plain(true)},
		{Verdict{Admit: true, Wait: 1}, nil, func() exchange.Answer { a := exchange.Plain(true); a.WaitNs = 1; return a }()},
		{Verdict{RetryAfter: -1, RetryUnit: 1}, nil, exchange.Plain(false)},
		{Verdict{RetryAfter: 1, RetryUnit: time.Second}, nil, func() exchange.Answer {
			a := exchange.Plain(false)
			a.RetryAfterNs, a.RetryUnitNs = 1, 1e9
			return a
		}()},
		{Verdict{Admit: true, Wait: 5}, broken, exchange.Plain(true)},
	} {
		var asked Request
		target := adapter{Func(func(_ context.Context, r Request) (Verdict, error) {
			asked = r
			return c.verdict, c.err
		})}
		got, err := target.Ask(t.Context(), &exchange.Request{Number: 3, Key: "k", Tenant: "t", Client: 2, Cost: 7})
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%+v (%v): %+v (%v), want %+v", c.verdict, c.err, got, err, c.want)
		}
		if want := (Request{Number: 3, Key: "k", Tenant: "t", Client: 2, Cost: 7}); asked != want {
			t.Errorf("asked for %+v, want %+v", asked, want)
		}
	}
}
