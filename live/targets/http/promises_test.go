package http

import (
	"net/http"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

func TestReadPromises(t *testing.T) {
	const none = -1 // exchange.Unstated
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		headers           [][2]string
		retryAfter        float64 // seconds
		remaining, resets int64   // requests, seconds
		limit, window     int64   // stated, in requests and seconds, or 0
	}{
		{nil, none, none, none, 0, 0},
		{[][2]string{{"Retry-After", "0"}}, 0, none, none, 0, 0},
		{[][2]string{{"Retry-After", "120"}}, 120, none, none, 0, 0},
		{[][2]string{{"Retry-After", "Mon, 23 Nov 2026 10:00:07 GMT"}}, 7, none, none, 0, 0},
		{[][2]string{{"Retry-After", "Mon, 23 Nov 2026 09:59:00 GMT"}}, 0, none, none, 0, 0},
		{[][2]string{{"Retry-After", "-1"}}, none, none, none, 0, 0},
		{[][2]string{{"Retry-After", "1.5"}}, 1.5, none, none, 0, 0},
		{[][2]string{{"RateLimit", `"default";r=50;t=30`}}, none, 50, 30, 0, 0},
		{[][2]string{{"RateLimit", `"a,b;c";r=50, "second"; r=3;t=1`}}, none, 3, 1, 0, 0},
		{[][2]string{{"RateLimit", `"hourly";r=3;t=9`}, {"RateLimit", `"daily";r=2`}}, none, 2, none, 0, 0},
		{[][2]string{{"RateLimit", `"bytes";r=1, "calls";r=7;t=2`}, {"RateLimit-Policy", `"bytes";q=9;qu="content-bytes", "calls";q=8;w=60`}}, none, 7, 2, 8, 60},
		{[][2]string{{"RateLimit", "limit=100, remaining=50, reset=5"}}, none, 50, 5, 100, 0},
		{[][2]string{{"RateLimit-Limit", "100"}, {"RateLimit-Remaining", "9"}, {"RateLimit-Reset", "4"}}, none, 9, 4, 100, 0},
		{[][2]string{{"RateLimit", "limit=100, remaining=50, reset=5"}, {"RateLimit-Policy", "100;w=1, 1000;w=60"}}, none, 50, 5, 100, 1},
		{[][2]string{{"RateLimit", "limit=30, remaining=50, reset=5"}, {"RateLimit-Policy", `"hour";q=1000;w=3600`}}, none, 50, 5, 30, 0},
		{[][2]string{{"RateLimit-Limit", "100"}, {"RateLimit-Remaining", "9"}, {"RateLimit-Policy", "100;w=1, 1000;w=60"}}, none, 9, none, 100, 1},
		{[][2]string{{"X-RateLimit-Remaining", "9"}, {"X-RateLimit-Reset", "1795428003"}}, none, 9, 3, 0, 0},
		{[][2]string{{"X-RateLimit-Remaining", "9"}, {"X-RateLimit-Reset", "1795428003000"}}, none, 9, none, 0, 0},
		{[][2]string{{"X-RateLimit-Remaining", "9"}, {"X-RateLimit-Reset", "10000000000"}}, none, 9, none, 0, 0},
		{[][2]string{{"RateLimit", "limit=100, remaining=9, reset=1795428003000"}}, none, 9, none, 100, 0},
		{[][2]string{{"RateLimit", `"default";r=9;t=1795428003000`}}, none, 9, none, 0, 0},
		{[][2]string{{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "tomorrow"}}, none, 0, none, 0, 0},
		{[][2]string{{"X-Rate-Limit-Remaining", "2"}, {"Retry-After", "1"}}, 1, 2, none, 0, 0},
		{[][2]string{{"RateLimit-Policy", `"default";q=100;w=10`}}, none, none, none, 100, 10},
		{[][2]string{{"RateLimit-Policy", `100;w=10`}}, none, none, none, 100, 10},
		{[][2]string{{"RateLimit-Policy", `"default";w=10`}, {"X-RateLimit-Limit", "7"}}, none, none, none, 7, 0},
		{[][2]string{{"RateLimit", `"second";r=1, "hour";r=9`}, {"RateLimit-Policy", `"second";q=5;w=1, "hour";q=99;w=3600`}}, none, 1, none, 5, 1},
		{[][2]string{{"RateLimit", `"default";r=-5`}}, none, none, none, 0, 0},
		{[][2]string{{"RateLimit", `";;,"=,=`}}, none, none, none, 0, 0},
	} {
		h := http.Header{"Date": {now.Format(http.TimeFormat)}}
		for _, header := range c.headers {
			h.Add(header[0], header[1])
		}
		seconds := func(s int64) int64 {
			if s == none {
				return none
			}
			return s * 1e9
		}
		want := exchange.Plain(false)
		want.Remaining, want.ResetNs = c.remaining, seconds(c.resets)
		if c.retryAfter != none {
			want.RetryAfterNs, want.RetryUnitNs = int64(c.retryAfter*1e9), 1e9
		}
		if c.limit > 0 {
			want.StatedLimit = c.limit
		}
		if c.window > 0 {
			want.StatedWindowNs = seconds(c.window)
		}
		got := exchange.Plain(false)
		if readPromises(&got, h); got != want {
			t.Errorf("%v:\ngot  %+v\nwant %+v", c.headers, got, want)
		}
	}
}

// A refusal without Retry-After promises the time after which its limit is reset.
func TestRetryAtReset(t *testing.T) {
	for _, c := range []struct{ retryAfter, reset, want int64 }{
		{exchange.Unstated, exchange.Unstated, exchange.Unstated}, {exchange.Unstated, 5e9, 5e9}, {2e9, 5e9, 2e9}, {0, 5e9, 0},
	} {
		a := exchange.Plain(false)
		a.RetryAfterNs, a.ResetNs = c.retryAfter, c.reset
		if retryAtReset(&a); a.RetryAfterNs != c.want {
			t.Errorf("%+v: %+v", c, a)
		}
	}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("RateLimit", `"default";r=0;t=3`)
		w.WriteHeader(http.StatusTooManyRequests)
	})
	a, err := opened(t, setting(url), nil).Ask(t.Context(), &exchange.Request{Cost: 1})
	if err != nil || a.Admit || a.RetryAfterNs != 3e9 || a.RetryUnitNs != 1e9 {
		t.Errorf("%+v, %v", a, err)
	}
}
