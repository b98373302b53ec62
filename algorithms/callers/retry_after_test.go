package callers_test

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/callers"
)

// TestRetryAfter states the waits for times that a limiter names.
func TestRetryAfter(t *testing.T) {
	const s = 1000 * ms
	otherwise := callers.New(callers.Backoff{Base: 2 * s, Max: 60 * s, Factor: [2]int64{2, 1}})
	for _, c := range []struct {
		name        string
		rule        callers.RetryAfter
		named       int64
		k           int
		least, most int64
		givesUp     bool
	}{
		{name: "exact", named: 1234567891, least: 1234567891, most: 1234567891},
		{name: "at once", named: 0},
		{name: "at once, in seconds", rule: callers.RetryAfter{WholeSeconds: true}, named: 0},
		{name: "a ns counts as a second", rule: callers.RetryAfter{WholeSeconds: true}, named: 1, least: s, most: s},
		{name: "a whole second stays", rule: callers.RetryAfter{WholeSeconds: true}, named: 7 * s, least: 7 * s, most: 7 * s},
		{name: "beyond all times", rule: callers.RetryAfter{WholeSeconds: true}, named: math.MaxInt64 - 1, least: math.MaxInt64, most: math.MaxInt64},
		{name: "as long as they wait", rule: callers.RetryAfter{Longest: 600 * s, GiveUp: true}, named: 600 * s, least: 600 * s, most: 600 * s},
		{name: "cut", rule: callers.RetryAfter{Longest: 600 * s}, named: 3599 * s, least: 600 * s, most: 600 * s},
		{name: "longer than they wait", rule: callers.RetryAfter{Longest: 120 * s, GiveUp: true}, named: 120*s + 1, givesUp: true},
		{name: "rounded up beyond it", rule: callers.RetryAfter{Longest: 1500 * ms, GiveUp: true, WholeSeconds: true}, named: 1500 * ms, givesUp: true},
		{name: "rounded up and cut", rule: callers.RetryAfter{Longest: 1500 * ms, WholeSeconds: true}, named: 1001 * ms, least: 1500 * ms, most: 1500 * ms},
		{name: "spread after the cut", rule: callers.RetryAfter{Longest: 600 * s, Spread: 30 * s}, named: 700 * s, least: 600 * s, most: 630 * s},
		{name: "spread", rule: callers.RetryAfter{Spread: 30 * s}, named: 5 * s, least: 5 * s, most: 35 * s},
		{name: "spread beyond all times", rule: callers.RetryAfter{Spread: 30 * s}, named: math.MaxInt64 - s, least: math.MaxInt64 - s, most: math.MaxInt64},
		{name: "nothing named", rule: callers.RetryAfter{Spread: 30 * s}, named: callers.Never, givesUp: true},
		{name: "nothing named, otherwise", rule: callers.RetryAfter{Spread: 30 * s, Longest: s, GiveUp: true, Otherwise: otherwise}, named: callers.Never, k: 2, least: 8 * s, most: 8 * s},
		{name: "otherwise is not for named times", rule: callers.RetryAfter{Otherwise: otherwise}, named: 3, k: 2, least: 3, most: 3},
	} {
		for _, highest := range []bool{false, true} {
			got, again := c.rule.Wait(c.named, c.k, 0, func(n uint64) uint64 {
				if highest {
					return n - 1
				}
				return 0
			})
			want := c.least
			if highest {
				want = c.most
			}
			if again == c.givesUp || again && got != want {
				t.Errorf("%s: it waits for %d and retries: %v, want %d and %v", c.name, got, again, want, !c.givesUp)
			}
		}
	}
}

// TestRetryAfterIsRandom checks which rules draw.
func TestRetryAfterIsRandom(t *testing.T) {
	backoff := func(j callers.Jitter) *callers.Backoff {
		return callers.New(callers.Backoff{Base: 1, Max: 1, Factor: [2]int64{1, 1}, Jitter: j})
	}
	for i, c := range []struct {
		rule callers.RetryAfter
		want bool
	}{
		{callers.RetryAfter{}, false},
		{callers.RetryAfter{Spread: 1}, true},
		{callers.RetryAfter{Otherwise: backoff(callers.NoJitter)}, false},
		{callers.RetryAfter{Otherwise: backoff(callers.Full)}, true},
	} {
		if got := c.rule.Random(); got != c.want {
			t.Errorf("rule %d: Random is %v", i, got)
		}
	}
}
