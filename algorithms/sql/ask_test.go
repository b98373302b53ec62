package sql

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestRetryAt checks that a cost would be admitted at the time of RetryAt and not a
// nanosecond before, and that one that is never admitted is not admitted after a week
// either.
func TestRetryAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.Int64Range(1, 40).Draw(t, "depth")
		o := Options{
			KeepFraction: rapid.Bool().Draw(t, "kept"), TiesToEven: rapid.Bool().Draw(t, "even"), CapBefore: rapid.Bool().Draw(t, "cap before"),
			Clock: rapid.SampledFrom([]int64{1, 1000, 1e6}).Draw(t, "clock"),
		}
		r, err := NewRule(rapid.Int64Range(1, 20).Draw(t, "count"), rapid.Int64Range(1, 5).Draw(t, "window")*second, depth, o)
		if err != nil {
			t.Fatal(err)
		}
		w := Absent
		if rapid.Bool().Draw(t, "row") {
			w = r.Row(rapid.Int64Range(-r.Unit(), depth*r.Unit()).Draw(t, "level"), rapid.Int64Range(0, 3*second).Draw(t, "stamp"))
		}
		now, cost := rapid.Int64Range(0, 9*second).Draw(t, "now"), rapid.Int64Range(0, depth+2).Draw(t, "cost")
		passes := func(at int64) bool { return cost == 0 || r.Tokens(w, at) >= cost }
		switch at := r.RetryAt(w, now, cost); {
		case at == Never:
			if passes(now + 7*86400*second) {
				t.Fatalf("cost %d is never admitted, but after a week", cost)
			}
		case at < now || !passes(at) || at > now && passes(at-1):
			t.Fatalf("at %d: cost %d is admitted from %d on", now, cost, at)
		}
	})
}
