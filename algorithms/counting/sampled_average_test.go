package counting

import (
	"math/big"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// averageModel keeps every sample without end and computes with fractions.
type averageModel struct {
	limit   Limit
	options SampledAverageOptions
	samples []sample
	last    int64
}

func (a *averageModel) take(now, cost int64) bool {
	a.last = max(a.last, now)
	now = a.last
	if cost == 0 {
		return true
	}
	admitted := a.throttle(now).Sign() <= 0
	if admitted {
		n := len(a.samples)
		if n == 0 || a.gone(&a.samples[n-1], now) || now-a.samples[n-1].start >= a.options.Window {
			a.samples = append(a.samples, sample{start: now})
			n++
		}
		c := &a.samples[n-1]
		c.value = integers.Add(c.value, cost)
	}
	return admitted
}

func (a *averageModel) gone(s *sample, now int64) bool {
	return now-s.start >= a.options.Samples*a.options.Window
}

// throttle is (rate - quota)/quota times the window that Kafka divides by.
func (a *averageModel) throttle(now int64) *big.Rat {
	var sum int64
	oldest := now
	for i := range a.samples {
		if s := &a.samples[i]; !a.gone(s, now) {
			sum = integers.Add(sum, s.value)
			oldest = min(oldest, s.start)
		}
	}
	window := now - oldest
	if full := window / a.options.Window; full < a.options.Samples-1 {
		window += (a.options.Samples - 1 - full) * a.options.Window
	}
	rate := new(big.Rat).Quo(rat(sum), rat(window))
	quota := big.NewRat(a.limit.Count, a.limit.Window)
	over := rate.Sub(rate, quota)
	return over.Mul(over.Quo(over, quota), rat(window))
}

const second = int64(1e9)

// KIP-599's example: a quota of 5/s over 100 samples of a second, and a burst of
// 560 at once. The average stays above the quota until the burst's sample is
// dropped, 100 s later; a bucket of 500 with debt is paid off after 12 s.
func TestKafkaMutations(t *testing.T) {
	quota := Limit{Count: 5, Window: second, Burst: 500}
	play(t, []script{
		{"560 mutations", "sampled-average", quota, options("samples", int64(100)), []step{
			{now: 0, cost: 560, want: true},
			{now: 12 * second, cost: 1},
			{now: 99*second + 999_999_999, cost: 1},
			{now: 100 * second, cost: 1, want: true},
		}},
		{"560 mutations", "token-bucket", quota, options("debt", true, "initial", "full"), []step{
			{now: 0, cost: 560, want: true},
			{now: 12*second - 1, cost: 1},
			{now: 12 * second, cost: 1, want: true},
		}},
	})

	average := NewSampledAverages(quota, SampledAverageOptions{Samples: 100}, 1)
	average.Take(0, 0, 560)
	// Kafka's window is 99 s at the start of a sample, not the KIP's round 100 s.
	if got := average.State(0)[4]; got != (StateField{"throttle_ns", 13 * second}) {
		t.Errorf("throttle time after the burst %v, want 560/5 - 99 = 13 s", got)
	}
	if got := average.RetryAt(0, 0, 1); got != 100*second {
		t.Errorf("retry at %d, want 100 s", got)
	}
}

// The window that the average divides by is 10 s at the start of a sample and
// 11 s at its end, so 11 samples of 1 s at 5/s admit between 50 and 55.
func TestAveragedWindow(t *testing.T) {
	quota := Limit{Count: 5, Window: second}
	play(t, []script{
		{"grows within a sample and falls back", "sampled-average", quota, options(), []step{
			{now: 0, cost: 52, want: true},
			{now: 399_999_999, cost: 1},
			{now: 400_000_000, cost: 1, want: true}, // 52/10.4 s is 5/s
			{now: second, cost: 1},                  // 53/10 s
			{now: 11 * second, cost: 1, want: true},
		}},
	})
}
