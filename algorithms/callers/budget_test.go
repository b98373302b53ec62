package callers_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/callers"
)

// TestGRPC compares the throttle with a count in fractions, and states its first steps.
func TestGRPC(t *testing.T) {
	g, allowed := callers.NewGRPC(10, 1, 10), 0
	for g.Refused(); g.Retry(0, 0); g.Refused() {
		allowed++
	}
	if allowed != 4 { // 9, 8, 7 and 6 are more than 5
		t.Errorf("a throttle of 10 allows %d retries in a row, want 4", allowed)
	}
	for range 20 {
		g.Refused() // down to 0
	}
	for range 60 {
		g.Admitted() // up to 6
	}
	if g.Refused(); g.Retry(0, 0) { // 5
		t.Error("a throttle of 10 with 5 left allows a retry")
	}
	if g.Admitted(); !g.Retry(0, 0) { // 5.1
		t.Error("a throttle of 10 with 5.1 left allows no retry")
	}
	rapid.Check(t, func(t *rapid.T) {
		most, den := rapid.Int64Range(1, 20).Draw(t, "most"), rapid.Int64Range(1, 4e9).Draw(t, "denominator")
		num := rapid.OneOf(rapid.Int64Range(1, 3*den), rapid.Int64Range(1, 1000*den)).Draw(t, "numerator")
		g := callers.NewGRPC(most, num, den)
		full, half, ratio := big.NewRat(most, 1), big.NewRat(most, 2), big.NewRat(num, den)
		count := new(big.Rat).Set(full)
		for _, admitted := range rapid.SliceOfN(rapid.Bool(), 1, 60).Draw(t, "admitted") {
			if admitted {
				g.Admitted()
				if count.Add(count, ratio); count.Cmp(full) > 0 {
					count.Set(full)
				}
				continue
			}
			g.Refused()
			if count.Sub(count, big.NewRat(1, 1)); count.Sign() < 0 {
				count.SetInt64(0)
			}
			if got, want := g.Retry(0, 0), count.Cmp(half) > 0; got != want {
				t.Fatalf("with %v of %v tokens a retry is allowed: %v", count, full, got)
			}
		}
	})
}

// TestShare compares the budget with its formula in fractions.
func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.OneOf(rapid.Int64Range(1, 100), rapid.Int64Range(1, 4e9)).Draw(t, "denominator")
		num, least := rapid.Int64Range(0, 2*den).Draw(t, "numerator"), rapid.Int64Range(0, 4).Draw(t, "least")
		s, retries := callers.NewShare(num, den, least), int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if retries > 0 && rapid.Bool().Draw(t, "a retry ends") {
				s.Ended()
				retries--
			}
			open := rapid.Int64Range(0, 40).Draw(t, "open")
			share := new(big.Rat).Mul(big.NewRat(num, den), new(big.Rat).SetInt64(open))
			allowed := max(new(big.Int).Quo(share.Num(), share.Denom()).Int64(), least)
			if got := s.Retry(0, open); got != (retries < allowed) {
				t.Fatalf("with %d calls and %d retries of %d another is allowed: %v", open, retries, allowed, got)
			} else if got {
				retries++
			}
		}
	})
}

// TestShareDefaults states what Envoy's defaults allow: 3 retries up to 19 open calls, and
// then a fifth of the calls.
func TestShareDefaults(t *testing.T) {
	for open, want := range map[int64]int{0: 3, 15: 3, 19: 3, 20: 4, 24: 4, 25: 5, 1000: 200} {
		s, got := callers.NewShare(20, 100, 3), 0
		for s.Retry(0, open) {
			got++
		}
		if got != want {
			t.Errorf("%d open calls allow %d retries, want %d", open, got, want)
		}
	}
}

// TestDeposits compares the budget with its formula over all events.
func TestDeposits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1, 4e9)).Draw(t, "denominator")
		num, perSecond := rapid.Int64Range(0, 3*den).Draw(t, "numerator"), rapid.Int64Range(0, 3).Draw(t, "per second")
		ttl := rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1e8, 3e9)).Draw(t, "ttl")
		d := callers.NewDeposits(num, den, perSecond, ttl)
		var firsts, retries []int64
		recent := func(times []int64, now int64) (n int64) {
			for _, at := range times {
				if at > now-ttl {
					n++
				}
			}
			return n
		}
		now := int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			if now += rapid.SampledFrom([]int64{0, 1, ttl - 1, ttl, ttl / 2, ttl / 9}).Draw(t, "gap"); rapid.Bool().Draw(t, "first") {
				d.First(now)
				firsts = append(firsts, now)
				continue
			}
			balance := new(big.Rat).Mul(big.NewRat(num, den), new(big.Rat).SetInt64(recent(firsts, now)))
			balance.Add(balance, new(big.Rat).Mul(big.NewRat(ttl, 1e9), new(big.Rat).SetInt64(perSecond)))
			balance.Sub(balance, new(big.Rat).SetInt64(recent(retries, now)))
			got := d.Retry(now, 0)
			if got != (balance.Cmp(big.NewRat(1, 1)) >= 0) {
				t.Fatalf("at %d with a balance of %v a retry is allowed: %v", now, balance, got)
			}
			if got {
				retries = append(retries, now)
			}
		}
	})
}

// TestDepositsOfFinagle states what Finagle's defaults allow: 10 s, 10 a second and 20 %
// are 100 retries at once, and one more for 5 first calls until these are 10 s old.
func TestDepositsOfFinagle(t *testing.T) {
	const s = 1000 * ms
	d := callers.NewDeposits(20, 100, 10, 10*s)
	all := func(now int64) (n int) {
		for d.Retry(now, 0) {
			n++
		}
		return n
	}
	if n := all(0); n != 100 {
		t.Errorf("%d retries at first, want 100", n)
	}
	for range 14 {
		d.First(s)
	}
	if n := all(s); n != 2 {
		t.Errorf("%d more after 14 first calls, want 2", n)
	}
	if n := all(10*s - 1); n != 0 {
		t.Errorf("%d more just before the first retries are forgotten, want none", n)
	}
	if n := all(10 * s); n != 100 {
		t.Errorf("%d more when they are, want 100", n)
	}
	if n := all(11 * s); n != 0 {
		t.Errorf("%d more when the first calls are forgotten, as their retries are, want none", n)
	}
}

// TestDepositsOfFractions adds half a retry for a first call to half a retry that is always
// there.
func TestDepositsOfFractions(t *testing.T) {
	d := callers.NewDeposits(1, 2, 1, 500*ms)
	if d.Retry(0, 0) {
		t.Error("half a retry is allowed")
	}
	if d.First(0); !d.Retry(0, 0) || d.Retry(0, 0) {
		t.Error("two halves are not one retry")
	}
}

// TestDepositsForget checks that first calls without retries take no memory after ttl.
func TestDepositsForget(t *testing.T) {
	d, now := callers.NewDeposits(1, 5, 10, 100), int64(0)
	first := func() { now += 10; d.First(now) }
	many := func() {
		for range 100_000 {
			first()
		}
	}
	if n := testing.AllocsPerRun(1, many); n > 100 { // some are the runtime's
		t.Errorf("%v allocations for 100,000 more first calls", n)
	}
}

// TestOutOfRange checks that budgets and paces refuse what they cannot count.
func TestOutOfRange(t *testing.T) {
	for name, make := range map[string]func(){
		"a throttle of nothing":    func() { callers.NewGRPC(0, 1, 10) },
		"a throttle without ratio": func() { callers.NewGRPC(10, 0, 10) },
		"too many tokens":          func() { callers.NewGRPC(1001, 1, 10) },
		"a negative share":         func() { callers.NewShare(-1, 10, 3) },
		"a share by 0":             func() { callers.NewShare(1, 0, 3) },
		"too fine a share":         func() { callers.NewShare(1, 4e9+1, 3) },
		"a negative least":         func() { callers.NewShare(1, 5, -1) },
		"too large a share":        func() { callers.NewDeposits(1001, 1, 10, 1) },
		"no ttl":                   func() { callers.NewDeposits(1, 5, 10, 0) },
		"too many a second":        func() { callers.NewDeposits(1, 5, 1e6+1, 1) },
		"a pace of nothing":        func() { callers.NewPace(0, 1, 1) },
		"a pace without a time":    func() { callers.NewPace(1, 0, 1) },
		"a pace of a debt":         func() { callers.NewPace(1, 1, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			make()
		}()
	}
}
