package send

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// A rejected request is sent again after its wait, as often as its caller retries and not
// after the end. An admitted one never is, and neither is one that a cap holds back.
func TestRetries(t *testing.T) {
	const n, end = 30, 300 * time.Millisecond
	var asked atomic.Int64
	o := Options{Timeout: time.Minute, EndNs: int64(end), Caps: Caps{Requests: n + 40}}
	o.Retry = func(e *exchange.Exchange, first int64) (int64, bool) { return first * 1e5, e.Try < 2 }
	r := send(t, t.Context(), planned(n, time.Millisecond), o, func(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
		asked.Add(1)
		return exchange.Plain(r.IntendedNs%2e6 == 0 && r.Try == 0), nil
	})
	retries := len(r.Exchanges) - n
	if asked.Load() != r.Sender.Sent || r.Sender.Sent != int64(len(r.Exchanges)) || r.Sender.Planned != r.Sender.Sent {
		t.Errorf("asked %d times, %+v", asked.Load(), r.Sender)
	}
	due := 0 // retries that had to be sent
	for i, e := range r.Exchanges {
		switch {
		case e.Number != int64(i), (e.Try > 0) != (i >= n), e.Try > 2, e.SentNs < e.IntendedNs, e.IntendedNs > int64(end):
			t.Errorf("exchange %d: %+v", i, e)
		case e.Verdict == exchange.Rejected && e.Try < 2 && e.AnsweredNs+n*1e5 <= int64(end):
			due++
		}
	}
	if retries < due || retries > 30 {
		t.Errorf("%d retries, want %d at least and 30 at most", retries, due)
	}
	o.Caps.Requests = n + 4
	if r := send(t, t.Context(), planned(n, time.Millisecond), o, func(context.Context, *exchange.Request) (exchange.Answer, error) {
		return exchange.Plain(false), nil
	}); len(r.Exchanges) > n+4 {
		t.Errorf("%d requests in spite of the cap", len(r.Exchanges))
	}
}

// With retries no second has more requests than the cap permits, whoever sends them.
func TestCapOnRateOfRetries(t *testing.T) {
	o := Options{Timeout: time.Minute, EndNs: 50e6, Caps: Caps{PerSecond: 20}}
	o.Retry = func(*exchange.Exchange, int64) (int64, bool) { return 0, true }
	var asked atomic.Int64
	r := send(t, t.Context(), planned(10, time.Millisecond), o, func(context.Context, *exchange.Request) (exchange.Answer, error) {
		asked.Add(1)
		return exchange.Plain(false), nil
	})
	first, last := r.Exchanges[0].SentNs, int64(0)
	for _, e := range r.Exchanges {
		last = max(last, e.SentNs)
	}
	if last-first < 1e9 && asked.Load() > 20 {
		t.Errorf("%d requests within %v, the cap is 20", asked.Load(), time.Duration(last-first))
	}
}
