package leases

import (
	"testing"

	"pgregory.net/rapid"
)

// Admits says what Decide does, and changes nothing.
func TestAdmits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testConfig()
		c.WithoutLease = rapid.SampledFrom([]WithoutLease{Safe, Pessimistic, Optimistic}).Draw(t, "without lease")
		asked, alone, now, until := NewClient(c, 0), NewClient(c, 0), int64(0), int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, s/2).Draw(t, "gap")
			clock := now + rapid.Int64Range(0, 2).Draw(t, "ahead")*s
			if rapid.IntRange(0, 4).Draw(t, "answer") == 0 {
				a := &Answer{Key: 1, Gets: rapid.Int64Range(0, 300).Draw(t, "gets"), Safe: 40, Until: now + rapid.Int64Range(0, 2*s).Draw(t, "lease")}
				asked.Apply(now, a)
				alone.Apply(now, a)
				if until = a.Until; !asked.keys.At(1).answered {
					until = 0 // no request has asked for it
				}
			}
			if level := asked.Level(now, 1); clock < until && (!asked.Admits(now, clock, 1, level) || asked.Admits(now, clock, 1, level+1)) {
				t.Fatalf("at %d: the level is %d, which is not the largest cost that is admitted", now, level)
			}
			cost := rapid.Int64Range(0, 5).Draw(t, "cost")
			admits := asked.Admits(now, clock, 1, cost)
			v, _ := asked.Decide(now, clock, 1, cost)
			if w, _ := alone.Decide(now, clock, 1, cost); admits != v.Admitted() || v != w {
				t.Fatalf("at %d: Admits %v, Decide %v and without Admits %v", now, admits, v, w)
			}
		}
	})
}
