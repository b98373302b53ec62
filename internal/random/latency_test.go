package random

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func TestLatencyQuantiles(t *testing.T) {
	const draws = 1_000_000
	for _, c := range []struct {
		kind     string
		p50, p99 int64
	}{
		{"exponential", 3010300, 20_000_000}, // p50 = p99 * ln 2 / ln 100
		{"lognormal", 1_000_000, 15_000_000},
		{"lognormal", 5_000_000, 5_500_000},
		{"lognormal", 20_000, 20_000_000},
	} {
		l, err := NewLatency(c.kind, c.p50, c.p99, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := New(2, 0, c.kind)
		x := make([]int64, draws)
		var sum float64
		for i := range x {
			x[i] = l.Draw(&s)
			sum += float64(x[i])
		}
		slices.Sort(x)
		p50, p99 := float64(x[draws/2]), float64(x[draws*99/100])
		if math.Abs(p50/float64(c.p50)-1) > 0.01 || math.Abs(p99/float64(c.p99)-1) > 0.01 {
			t.Errorf("%s {p50 %d, p99 %d}: p50 %.0f, p99 %.0f", c.kind, c.p50, c.p99, p50, p99)
		}
		mean := float64(c.p99) / math.Log(100)
		if c.kind == "lognormal" {
			sigma := math.Log(float64(c.p99)/float64(c.p50)) / 2.3263478740408411
			mean = float64(c.p50) * math.Exp(sigma*sigma/2)
		}
		if tolerance := 0.01 + 0.1*float64(c.p99/c.p50/1000); math.Abs(sum/draws/mean-1) > tolerance {
			t.Errorf("%s {p50 %d, p99 %d}: mean %.0f, want %.0f", c.kind, c.p50, c.p99, sum/draws, mean)
		}
	}
}

// Two hops whose round trips are exponential with a p99 of 20 ms each exceed
// 20 ms together on 5.6 % of calls: 0.01*(1 + ln 100).
func TestTwoExponentialHops(t *testing.T) {
	l, err := NewLatency("exponential", 0, 20_000_000, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := New(1, 0, "hops")
	var over int
	for range 1_000_000 {
		if l.Draw(&s)+l.Draw(&s) > 20_000_000 {
			over++
		}
	}
	if share := float64(over) / 1e6; math.Abs(share-0.01*(1+math.Log(100))) > 0.001 {
		t.Errorf("%.4f of the calls exceed 20 ms, want 0.056", share)
	}
}

// Single draws agree with floating point, at every scale and far into the
// tails.
func TestLatencyDrawsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p50 := rapid.Int64Range(1, MaxLatency).Draw(t, "p50")
		p99 := rapid.Int64Range(p50, MaxLatency).Draw(t, "p99")
		z := rapid.Int64Range(-(942<<48)/100, (942<<48)/100).Draw(t, "z")
		slope := lognormalSlope(p50, p99)
		want := float64(p50) * math.Pow(float64(p99)/float64(p50), float64(z)/(1<<48)/2.3263478740408411)
		got := float64(lognormalNs(uint64(p50), slope, z))
		want = min(want, float64(32*MaxLatency))
		if math.Abs(got-want) > 0.5000001+want*1e-8 {
			t.Fatalf("lognormal {%d, %d} at %.4f deviations is %.1f, want %.1f", p50, p99, float64(z)/(1<<48), got, want)
		}
		e := rapid.Uint64Range(0, 64*ln2).Draw(t, "e")
		want = float64(p99) * float64(e) / (1 << 58) / math.Log(100)
		if got := float64(exponentialNs(uint64(p99), e)); math.Abs(got-want) > 0.5000001+want*1e-12+float64(p99)*0x1p-58 {
			t.Fatalf("exponential p99 %d at %d/2^58 is %.1f, want %.1f", p99, e, got, want)
		}
	})
}

func TestLatencyKinds(t *testing.T) {
	for _, c := range []struct {
		kind               string
		p50, p99, constant int64
		ok, random         bool
	}{
		{"constant", 0, 0, 0, true, false},
		{"constant", 0, 0, 1000, true, false},
		{"constant", 0, 0, -1, false, false},
		{"exponential", 0, 1000, 0, true, true},
		{"exponential", 0, 0, 0, true, false},
		{"exponential", 0, MaxLatency + 1, 0, false, false},
		{"lognormal", 10, 10, 0, true, false},
		{"lognormal", 10, 20, 0, true, true},
		{"lognormal", 0, 20, 0, false, false},
		{"lognormal", 20, 10, 0, false, false},
		{"uniform", 0, 0, 0, false, false},
	} {
		l, err := NewLatency(c.kind, c.p50, c.p99, c.constant)
		if ok := err == nil; ok != c.ok || ok && l.Random() != c.random {
			t.Errorf("%+v: error %v, random %v", c, err, l.Random())
		}
		if err != nil || c.random {
			continue
		}
		s := New(1, 0, "x")
		before := s
		if got, want := l.Draw(&s), max(c.p50, c.constant); got != want || s != before {
			t.Errorf("%+v draws %d, want %d and nothing taken from the stream", c, got, want)
		}
	}
}
