package patterns

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// counts returns the number of instants in each of parts equal parts of a span.
func counts(times []int64, span Span, parts int) []float64 {
	n := make([]float64, parts)
	width := (span.To - span.From) / int64(parts)
	for _, at := range times {
		n[(at-span.From)/width]++
	}
	return n
}

func meanAndVariance(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, variance
}

func TestPoissonLaw(t *testing.T) {
	span := Span{0, 100 * second}
	times := instants(build(t, "poisson", catalog.Values{"rate": rate(2000, second)}, span), 1)
	// There are 20,000 parts with 10 expected arrivals each.
	const parts, expected = 20_000, 10.0
	n := counts(times, span, parts)
	mean, variance := meanAndVariance(n)
	if math.Abs(mean-expected) > 4*math.Sqrt(expected/parts) {
		t.Errorf("mean count is %.3f, want %g", mean, expected)
	}
	if math.Abs(variance/expected-1) > 4*math.Sqrt(2.0/parts) {
		t.Errorf("variance of counts is %.3f, want %g", variance, expected)
	}
	// Chi-square of the counts 3 to 17 and the tails: 16 degrees of freedom.
	observed := map[int]float64{}
	for _, x := range n {
		observed[min(18, max(2, int(x)))]++
	}
	chi, rest, p := 0.0, 1.0, math.Exp(-expected)
	low := 0.0
	for k := 0; k < 18; k++ {
		switch {
		case k <= 2:
			low += p
		default:
			e := p * parts
			chi += (observed[k] - e) * (observed[k] - e) / e
		}
		rest -= p
		p *= expected / float64(k+1)
	}
	for _, tail := range []struct{ got, want float64 }{{observed[2], low * parts}, {observed[18], rest * parts}} {
		chi += (tail.got - tail.want) * (tail.got - tail.want) / tail.want
	}
	if chi > 39.3 { // exceeded once in 1,000
		t.Errorf("chi-square of the counts is %.1f", chi)
	}
}

// The mean rate is correct for low, high and fractional rates.
func TestPoissonMean(t *testing.T) {
	for _, r := range []struct{ count, per int64 }{{1, 3600 * second}, {7, 3 * second}, {3, 2}, {999_983, 1_000_003}} {
		length := r.per / r.count * 20_000
		if r.per/r.count == 0 {
			length = 20_000
		}
		n := float64(len(instants(build(t, "poisson", catalog.Values{"rate": rate(r.count, r.per)}, Span{0, length}), 3)))
		want := float64(length) / float64(r.per) * float64(r.count)
		if math.Abs(n-want) > 4*math.Sqrt(want) {
			t.Errorf("%d per %d ns: %.0f arrivals, want %.0f", r.count, r.per, n, want)
		}
	}
}

// A Poisson ramp has the counts of its integral in every part.
func TestPoissonRamp(t *testing.T) {
	for _, r := range [][2]int64{{0, 20_000}, {20_000, 1_000}} {
		span := Span{0, 20 * second}
		times := instants(build(t, "ramp", catalog.Values{"rate": rate(r[0], second), "to_rate": rate(r[1], second), "arrivals": value("poisson")}, span), 5)
		for i, got := range counts(times, span, 10) {
			at := (float64(i) + 0.5) / 10
			want := 2 * (float64(r[0])*(1-at) + float64(r[1])*at)
			if math.Abs(got-want) > 4*math.Sqrt(want) {
				t.Errorf("ramp %v: %.0f arrivals in part %d, want %.0f", r, got, i, want)
			}
		}
	}
}

func TestBurstyRates(t *testing.T) {
	span := Span{0, 400 * second}
	p := build(t, "bursty", catalog.Values{"rate_on": rate(3000, second), "rate_off": rate(200, second),
		"mean_on": value(10 * millisecond), "mean_off": value(30 * millisecond)}, span)
	times := instants(p, 1)
	// The mean rate is 0.25*3000 + 0.75*200 = 900/s, from 10,000 cycles with a
	// relative deviation of about 1 each.
	if got := float64(len(times)) / 400; math.Abs(got-900) > 4*900/math.Sqrt(10_000) {
		t.Errorf("mean rate is %.1f/s, want 900", got)
	}
	// The index of dispersion of a two-state process over long times is
	// 1 + 2*pOn*pOff*(difference of rates)^2/(mean rate*(1/meanOn + 1/meanOff)).
	mean, variance := meanAndVariance(counts(times, span, 800))
	want := 1 + 2*0.25*0.75*2800*2800/(900*(100+100.0/3))
	if got := variance / mean; math.Abs(got/want-1) > 0.25 {
		t.Errorf("index of dispersion is %.1f, want %.1f", got, want)
	}
}

// The initial state has its stationary probability, so the first millisecond
// has the mean rate of the whole.
func TestBurstyBeginsAnywhere(t *testing.T) {
	p := build(t, "bursty", catalog.Values{"rate_on": rate(4_000_000, second), "mean_on": value(10 * millisecond), "mean_off": value(30 * millisecond)}, Span{0, millisecond})
	const seeds = 1000
	total := 0
	for seed := range uint64(seeds) {
		total += len(instants(p, seed))
	}
	// The mean is 1,000 and the standard deviation at most sqrt(1/4*3/4)*4000.
	if mean := float64(total) / seeds; math.Abs(mean-1000) > 4*1732/math.Sqrt(seeds) {
		t.Errorf("%.0f arrivals within the first millisecond on average, want 1000", mean)
	}
}

// The mean rate of on and off states follows from their mean durations, for any
// distribution of the durations.
func TestParetoRate(t *testing.T) {
	span := Span{0, 4000 * second}
	times := instants(build(t, "pareto", catalog.Values{"rate_on": rate(300, second), "rate_off": rate(20, second),
		"mean_on": value(10 * millisecond), "mean_off": value(30 * millisecond), "shape": share(5, 2)}, span), 1)
	// There are 100,000 cycles. The relative deviation of a stay is 0.9 at this
	// shape.
	if got := float64(len(times)) / 4000; math.Abs(got-90) > 4*90/math.Sqrt(100_000) {
		t.Errorf("mean rate is %.2f/s, want 90", got)
	}
}

// The times in both states have the stated means, and none is shorter than the shape
// permits: so there is a long gap in each cycle, and there are as many as cycles.
func TestParetoCycles(t *testing.T) {
	times := instants(build(t, "pareto", catalog.Values{"rate_on": rate(10_000, second), "mean_on": value(10 * millisecond), "mean_off": value(30 * millisecond), "shape": share(4, 1)},
		Span{0, 400 * second}), 1)
	cycles := 0
	for i := range len(times) - 1 {
		if times[i+1]-times[i] > 22*millisecond { // the shortest time off is 22.5 ms
			cycles++
		}
	}
	// The relative deviation of a cycle is 0.28 at this shape.
	if math.Abs(float64(cycles)-10_000) > 4*0.28*math.Sqrt(10_000) {
		t.Errorf("%d cycles in 400 s, want 10,000", cycles)
	}
}

// The counts of a renewal process over long times have the mean of the rate,
// and a variance of cv^2 times that mean.
func TestGammaCounts(t *testing.T) {
	for _, cv := range [][2]int64{{1, 2}, {1, 1}, {3, 1}, {8, 1}} {
		span := Span{0, 4000 * second}
		times := instants(build(t, "gamma", catalog.Values{"rate": rate(500, second), "cv": share(cv[0], cv[1])}, span), 1)
		const parts = 400
		mean, variance := meanAndVariance(counts(times, span, parts))
		v := float64(cv[0]*cv[0]) / float64(cv[1]*cv[1])
		if math.Abs(mean-5000) > 4*math.Sqrt(v*5000/parts) {
			t.Errorf("cv %v: mean count %.0f, want 5000", cv, mean)
		}
		if math.Abs(variance/mean/v-1) > 5*math.Sqrt(2.0/parts) {
			t.Errorf("cv %v: index of dispersion %.2f, want %.2f", cv, variance/mean, v)
		}
	}
}

// With a variation above 1 many gaps are below a nanosecond, so arrivals share one:
// with a shape of k and a mean gap of m ns, (k/m)^k/Gamma(k+2) of them. The section
// gamma of docs/patterns.md has these figures.
func TestGammaTies(t *testing.T) {
	for cv, percent := range map[int64]float64{1: 0, 2: 1.7, 3: 15, 5: 48, 10: 82} {
		times := instants(build(t, "gamma", catalog.Values{"rate": rate(500, second), "cv": share(cv, 1)}, Span{0, 400 * second}), 1)
		ties := 0.0
		for i := 1; i < len(times); i++ {
			if times[i] == times[i-1] {
				ties++
			}
		}
		k := 1 / float64(cv*cv)
		want := math.Pow(k/2e6, k) / math.Gamma(k+2) // (k/m)^k x^k/Gamma(k+1), averaged over x of 0 to 1 ns
		if got := ties / float64(len(times)); math.Abs(got-want) > 0.01 || math.Abs(100*got-percent) > 1 {
			t.Errorf("variation %d: %.2f %% of arrivals in the nanosecond of the one before, want %.2f %%, and %g %% on the page", cv, 100*got, 100*want, percent)
		}
	}
}

// The rate changes by one step at a time, up and down equally often, and is
// reflected at its bounds.
func TestRandomWalkSteps(t *testing.T) {
	span := Span{0, 1000 * second}
	w := build(t, "random-walk", catalog.Values{"rate": rate(10_000, second), "step": share(1, 5), "every": value(second),
		"lowest": share(2, 5), "highest": share(2, 1)}, span)
	level, seen := 5, map[int]int{} // fifths of the rate
	for i, n := range counts(instants(w, 1), span, 1000) {
		at := int(math.Round(n / 2_000)) // a step is 14 to 32 deviations of a count
		if i > 0 && at-level != 1 && level-at != 1 {
			t.Fatalf("second %d: from %d fifths to %d", i, level, at)
		}
		level = at
		seen[at]++
	}
	for at, n := range seen {
		if at < 2 || at > 10 || n < 15 {
			t.Errorf("%d of 1,000 seconds at %d fifths; want all of 2 to 10, and no others", n, at)
		}
	}
	if len(seen) != 9 {
		t.Errorf("rates seen: %v", seen)
	}
}
