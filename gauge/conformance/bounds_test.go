package conformance

import (
	"math"
	"strings"
	"testing"
)

// An integer that overflows is a finding of its own, and does not hide another mistake.
func TestOverflow(t *testing.T) {
	units := func(wrong bool) Maker { // a bucket that counts in int64 units of 1/window of a token
		return mutant{key: func(p Policy) oneKey {
			full, last := p.Burst*p.Window, int64(-1)
			level := full
			return func(now, cost int64) bool {
				if last >= 0 {
					level += (now - last) * p.Count // overflows after a long time
				}
				if level > full {
					level = full
				}
				last = now
				need := cost * p.Window // overflows at a large cost
				if wrong && need == level && cost == 2 || need > level {
					return false
				}
				level -= need
				return true
			}
		}}.make
	}
	r := expectConforms(t, "token-bucket", units(false), Options{Seed: 1, Sessions: DefaultSessions})
	if r.Overflow == nil || !strings.Contains(text(r), "may overflow") {
		t.Error(text(r))
	}
	if r, err := Check(t.Context(), "token-bucket", units(true), Options{Seed: 1}); err != nil || r.Difference == nil || r.Difference.Calls[len(r.Difference.Calls)-1].Cost != 2 {
		t.Error(err, text(r))
	}
}

// An integer that overflows after some idle hours under a policy of Options is a difference,
// since a scenario of that policy may have them.
func TestOverflowOfNamedPolicy(t *testing.T) {
	units := mutant{key: func(p Policy) oneKey {
		full, last := p.Burst*p.Window, int64(-1)
		level := full
		return func(now, cost int64) bool {
			if last >= 0 {
				level = min(full, level+(now-last)*p.Count) // overflows after 2.6 hours
			}
			if last = now; cost*p.Window > level {
				return false
			}
			level -= cost * p.Window
			return true
		}
	}}
	o := Options{Seed: 1, Costs: [2]int64{1, 10}, Policies: []Policy{{Count: 1e6, Window: second, Burst: 10}}}
	if r, err := Check(t.Context(), "token-bucket", units.make, o); err != nil || r.Difference == nil {
		t.Error(err, text(r))
	}
}

// Sessions stay within the costs and policies of Options.
func TestBoundsOfSessions(t *testing.T) {
	o := Options{Seed: 1, Sessions: 10, Costs: [2]int64{1, 3}, Policies: []Policy{{Count: 600, Window: 60 * second, Burst: 100}}, Span: func(Policy) int64 { return 24 * hour }}
	seen := mutant{key: func(p Policy) oneKey {
		if p != o.Policies[0] {
			t.Fatalf("a session of %s", policyText(p))
		}
		right := bucketWith(func(*bucket) {})(p)
		return func(now, cost int64) bool {
			if cost < 1 || cost > 3 || now > 24*hour {
				t.Fatalf("a cost of %d at %d", cost, now)
			}
			return right(now, cost)
		}
	}}
	expectConforms(t, "token-bucket", seen.make, o)
	if _, err := Check(t.Context(), "token-bucket", seen.make, Options{Costs: [2]int64{2, 1}}); err == nil {
		t.Error("costs from 2 to 1")
	}
	if _, err := Check(t.Context(), "token-bucket", seen.make, Options{Policies: []Policy{{Count: math.MaxInt64, Window: math.MaxInt64 - 1, Burst: math.MaxInt64}}}); err == nil {
		t.Error("a policy that the counter cannot keep")
	}
}

// A log that keeps too few entries, and keys of which the end is cut, are found.
func TestManyCallsAndLongKeys(t *testing.T) {
	for _, entries := range []int{512, 4096} {
		ring := mutant{key: func(p Policy) oneKey {
			var times []int64
			return func(now, cost int64) bool {
				for len(times) > 0 && times[0] <= now-p.Window {
					times = times[1:]
				}
				if cost > p.Count || int64(len(times))+cost > p.Count {
					return false
				}
				for range min(cost, int64(entries)) {
					times = append(times, now)
				}
				times = times[max(0, len(times)-entries):]
				return true
			}
		}}
		if r, err := Check(t.Context(), "sliding-window-log", ring.make, Options{Seed: 1}); err != nil || r.Difference == nil {
			t.Error(err, entries, text(r))
		}
	}
	for _, length := range []int{16, 2000, 50_000} {
		cut := mutant{key: bucketWith(func(*bucket) {}), see: func(c *Call) { c.Key = c.Key[:min(len(c.Key), length)] }}
		r, err := Check(t.Context(), "token-bucket", cut.make, Options{Seed: 1})
		if err != nil || r.Difference == nil {
			t.Errorf("%d: %v, no difference", length, err)
		} else if shown := text(r); length > 40 && !strings.Contains(shown, `1" (`) && !strings.Contains(shown, `2" (`) {
			t.Error(shown)
		}
	}
}
