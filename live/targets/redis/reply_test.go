//go:build network

package redis

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
)

// TestReply reads replies as Redis gives them.
func TestReply(t *testing.T) {
	const ms, s = 1_000_000, 1_000_000_000
	plain := exchange.Plain
	for _, c := range []struct {
		fields   []any
		rejected string
		value    any
		want     exchange.Answer
		fails    bool
	}{
		{[]any{"verdict"}, "= 0", int64(1), plain(true), false},
		{[]any{"verdict"}, "= 0", int64(0), plain(false), false},
		{[]any{"verdict"}, "= 0", []byte("0"), plain(false), false},
		{[]any{"verdict"}, "> 100", int64(100), plain(true), false},
		{[]any{"verdict"}, "> 100", int64(101), plain(false), false},
		{[]any{"verdict"}, "!= 0", []any{int64(1), int64(5)}, plain(false), false}, // as CL.THROTTLE replies
		{[]any{"verdict"}, "< 0", []byte("-0.5"), plain(false), false},
		{[]any{"verdict"}, "= 0", nil, plain(false), true},
		{[]any{"verdict"}, "= 0", []byte("yes"), plain(false), true},
		{[]any{"verdict"}, "= 0", []any{}, plain(false), true},
		{[]any{"verdict", "remaining"}, "= 0", int64(1), plain(false), true},
		{[]any{"ignored", "verdict", "remaining", "retry_after_s", "reset_ms"}, "= 0", []any{nil, int64(0), int64(3), int64(2), int64(70)},
			exchange.Answer{Remaining: 3, RetryAfterNs: 2 * s, RetryUnitNs: s, ResetNs: 70 * ms, StatedLimit: exchange.Unstated, StatedWindowNs: exchange.Unstated}, false},
		{[]any{"verdict", "retry_after_s", "remaining", "wait_us"}, "= 0", []any{int64(1), []byte("0.25"), int64(-1), int64(1500)},
			exchange.Answer{Admit: true, WaitNs: 1500_000, Remaining: -1, RetryAfterNs: 250 * ms, RetryUnitNs: 1, ResetNs: -1, StatedLimit: exchange.Unstated, StatedWindowNs: exchange.Unstated}, false},
		{[]any{"verdict", "retry_after_us"}, "= 0", []any{int64(1), int64(-1)}, plain(true), false},
	} {
		r, err := readReply(c.fields)
		if err == nil {
			r.rejected, err = condition(c.rejected)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.read(c.value); got != c.want || (err != nil) != c.fails {
			t.Errorf("%v as %v gives %+v, %v, want %+v", c.value, c.fields, got, err, c.want)
		}
	}
	for _, name := range targets.RedisFields() {
		if _, _, ok := strings.Cut(name, "_"); ok {
			var a exchange.Answer
			if setTime(&a, name, 1, true); a == (exchange.Answer{}) {
				t.Errorf("%s sets nothing", name)
			}
		}
	}
}
