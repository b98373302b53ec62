package callers_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/callers"
)

// modelBucket is a bucket by its level, as a fraction.
type modelBucket struct {
	rate, burst, level *big.Rat
	last               int64
}

// take returns the wait of a call that takes n, rounded up.
func (b *modelBucket) take(now, n int64) *big.Int {
	b.level.Add(b.level, new(big.Rat).Mul(b.rate, new(big.Rat).SetInt64(now-b.last)))
	if b.level.Cmp(b.burst) > 0 {
		b.level.Set(b.burst)
	}
	b.last = now
	b.level.Sub(b.level, new(big.Rat).SetInt64(n))
	if b.level.Sign() >= 0 {
		return new(big.Int)
	}
	wait := new(big.Rat).Quo(new(big.Rat).Neg(b.level), b.rate)
	up := new(big.Int).Add(wait.Num(), wait.Denom())
	return up.Quo(up.Sub(up, big.NewInt(1)), wait.Denom())
}

// TestPaceAgainstLevels compares a pace with a bucket that holds its level as a fraction.
func TestPaceAgainstLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wide := func(name string, least, usual, most int64) int64 {
			return rapid.OneOf(rapid.Int64Range(least, usual), rapid.Int64Range(least, most)).Draw(t, name)
		}
		count, per, burst := wide("count", 1, 20, 1e15), wide("per", 1, 50, 3600e9), wide("burst", 0, 10, 1e12)
		p := callers.NewPace(count, per, burst)
		model := modelBucket{rate: big.NewRat(count, per), burst: big.NewRat(burst, 1), level: big.NewRat(burst, 1)}
		now := int64(0)
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			now += wide("gap", 0, 3, 1e12)
			n := wide("tokens", 0, 5, 1e6)
			want := model.take(now, n)
			if !want.IsInt64() || want.Int64() >= math.MaxInt64-now {
				return // cut from here on
			}
			if got := p.Reserve(now, n); got != want.Int64() {
				t.Fatalf("%d per %d ns, burst %d: at %d a call of %d tokens waits for %d, want %v", count, per, burst, now, n, got, want)
			}
		}
	})
}

// TestPacedClosedForms takes calls that come together. The last of n is sent at
// (n - burst)/rate.
func TestPacedClosedForms(t *testing.T) {
	for _, c := range []struct {
		name              string
		count, per, burst int64
		n, tokens         int64
		want              int64 // ns
	}{
		{"kubernetes/client-go#564: 80 at 5 a second, burst 10", 5, 1e9, 10, 80, 1, 14e9},
		{"5,000 at 60 a minute, burst 1", 60, 60e9, 1, 5000, 1, 4999e9},
		{"within the burst", 5, 1e9, 10, 10, 1, 0},
		{"7 a minute is no whole ns", 7, 60e9, 0, 3, 1, 25714285715},
		{"a call above the burst", 100e3, 60e9, 10e3, 1, 30e3, 12e9},
		{"a debt of 20,000 calls of 99,991 tokens, which come in a minute", 99991, 60e9, 99991, 20001, 99991, 20000 * 60e9},
		{"a debt beyond all times", 1, math.MaxInt64, 1, 3, 1, math.MaxInt64},
		{"a bucket beyond all times", 1, 1e9, math.MaxInt64, 1000, 1, 0},
	} {
		p, last := callers.NewPace(c.count, c.per, c.burst), int64(0)
		for range c.n {
			last = p.Reserve(0, c.tokens)
		}
		if last != c.want {
			t.Errorf("%s: the last call is sent at %d, want %d", c.name, last, c.want)
		}
	}
}

// TestPaceFillsWithinOneNs takes tokens that arrive three to a ns. The bucket of one token is
// full at 1 ns although it was empty within the same ns.
func TestPaceFillsWithinOneNs(t *testing.T) {
	p := callers.NewPace(3, 1, 1)
	for i, c := range []struct{ now, want int64 }{{0, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}, {1, 2}} {
		if got := p.Reserve(c.now, 1); got != c.want {
			t.Errorf("call %d at %d waits for %d, want %d", i, c.now, got, c.want)
		}
	}
}
