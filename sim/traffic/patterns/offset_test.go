package patterns

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// shifted returns options with an offset: a time in ns, or random if that is negative.
func shifted(v catalog.Values, offset int64) catalog.Values {
	v = maps.Clone(v)
	v["offset"] = value(catalog.Choice{Name: "random"})
	if offset >= 0 {
		v["offset"] = value(catalog.Choice{Name: "fixed", Values: catalog.Values{"time": value(offset)}})
	}
	return v
}

// periodic holds patterns without random draws, with a period after which all times
// repeat.
var periodic = []struct {
	pattern string
	options catalog.Values
	period  int64 // ns
}{
	{"constant", catalog.Values{"rate": rate(1, 37*millisecond)}, 37 * millisecond},
	{"square", catalog.Values{"high": rate(999, second), "low": rate(70, second), "high_for": value(70 * millisecond), "low_for": value(33 * millisecond)}, 103 * millisecond},
	{"square", catalog.Values{"high": rate(300, second), "high_for": value(500 * millisecond), "low_for": value(500 * millisecond)}, second},
	{"sine", catalog.Values{"rate": rate(5, 1024), "amplitude": share(1, 1), "period": value(int64(1024 * 1000))}, 1024 * 1000},
	{"sine", catalog.Values{"rate": rate(1000, second), "amplitude": share(1, 2), "period": value(1024 * millisecond)}, 1024 * millisecond},
	{"herd", catalog.Values{"count": value(int64(7)), "every": value(90 * millisecond)}, 90 * millisecond},
}

// With an offset the arrivals are those of the pattern that began so much later, and
// before that the end of its period, at every phase.
func TestOffsetShifts(t *testing.T) {
	for _, c := range periodic {
		span := Span{From: 3 * c.period, To: 3*c.period + 2*c.period + c.period/3}
		for step := range int64(41) {
			offset := step * c.period / 41
			got := instants(build(t, c.pattern, shifted(c.options, offset), span), 1, 5, 64)
			early := Span{From: span.From - c.period + offset, To: span.To}
			want := instants(build(t, c.pattern, c.options, early), 1)
			first, _ := slices.BinarySearch(want, span.From)
			equal(t, fmt.Sprintf("%s with offset %d", c.pattern, offset), got, want[first:])
		}
	}
}

// A gap may be no whole number of nanoseconds, and a whole period of a sine no whole
// number of arrivals: from the offset on they are as without one.
func TestOffsetOfFractions(t *testing.T) {
	for _, c := range []struct {
		pattern string
		options catalog.Values
		offsets []int64
	}{
		{"constant", catalog.Values{"rate": rate(7, 3*second)}, []int64{0, 1, 428_571_428}},
		{"constant", catalog.Values{"rate": rate(3, 2)}, []int64{0}},
		{"sine", catalog.Values{"rate": rate(1, 1777), "amplitude": share(1, 1), "period": value(int64(1_000_003))}, []int64{0, 1, 977, 500_000, 1_000_002}},
	} {
		for _, offset := range c.offsets {
			from, to := 5*second, 5*second+10*millisecond
			if c.pattern == "constant" && offset > 0 {
				to = 100 * second
			}
			got := instants(build(t, c.pattern, shifted(c.options, offset), Span{from, to}), 1, 7)
			first, _ := slices.BinarySearch(got, from+offset)
			if c.pattern == "constant" && first != 0 {
				t.Errorf("%s: %d arrivals before the offset", c.pattern, first)
			}
			equal(t, fmt.Sprintf("%s with offset %d", c.pattern, offset), got[first:], instants(build(t, c.pattern, c.options, Span{from + offset, to}), 1))
		}
	}
}

// A square wave with an offset brings the counts of the wave without one, moved.
func TestOffsetCounts(t *testing.T) {
	options := catalog.Values{"high": rate(200, second), "low": rate(10, second), "high_for": value(second), "low_for": value(second)}
	for offset := int64(0); offset < 2*second; offset += 100 * millisecond {
		n := counts(instants(build(t, "square", shifted(options, offset), Span{0, 4 * second}), 1), Span{0, 4 * second}, 40)
		for i, got := range n {
			into := (int64(i)*100*millisecond + 2*second - offset) % (2 * second)
			want := 20.0
			if into >= second {
				want = 1
			}
			if got != want {
				t.Errorf("offset %d: %g arrivals in tenth %d, want %g", offset, got, i, want)
			}
		}
	}
}

// A random offset is uniform over the period.
func TestRandomOffset(t *testing.T) {
	const seeds = 4000
	for _, c := range periodic {
		p := build(t, c.pattern, shifted(c.options, -1), Span{second, second + 2*c.period})
		if !p.Random() {
			t.Errorf("%s with a random offset is not random", c.pattern)
		}
		if c.pattern == "sine" || c.options["low"].V != nil {
			continue // its arrivals do not tell the offset at once
		}
		deciles := make([]float64, 10)
		for seed := range uint64(seeds) {
			times := instants(p, seed)
			begin := times[0] // of the first burst, or of the first gap or high phase
			for i := 1; c.pattern == "square" && i < len(times); i++ {
				if times[i]-times[i-1] > 100*millisecond {
					begin = times[i]
				}
			}
			deciles[(begin-second)%c.period*10/c.period]++
		}
		chi := 0.0
		for _, n := range deciles {
			chi += (n - seeds/10) * (n - seeds/10) / (seeds / 10)
		}
		if chi > 27.9 { // exceeded once in 1,000, with 9 degrees of freedom
			t.Errorf("%s: offsets of the deciles %v, chi-square %.1f", c.pattern, deciles, chi)
		}
	}
}

// A random offset changes no other draw.
func TestOffsetHasItsOwnDraw(t *testing.T) {
	flat := catalog.Values{"rate": rate(2000, second), "amplitude": share(0, 1), "period": value(300 * millisecond), "arrivals": value("poisson")}
	span := Span{0, second}
	equal(t, "flat sine", instants(build(t, "sine", shifted(flat, -1), span), 1), instants(build(t, "sine", flat, span), 1))
}

// Poisson and jittered arrivals follow the shifted rate.
func TestOffsetOfRandomArrivals(t *testing.T) {
	span := Span{0, 200 * second}
	for _, c := range []struct {
		pattern string
		options catalog.Values
		want    func(tenth int) float64 // arrivals in 100 periods
	}{
		{"constant", catalog.Values{"rate": rate(1, 2*second), "arrivals": value("jittered")}, func(int) float64 { return 10 }},
		{"square", catalog.Values{"high": rate(100, second), "low": rate(10, second), "high_for": value(second), "low_for": value(second), "arrivals": value("poisson")},
			func(tenth int) float64 { return []float64{2000, 200}[(tenth+7)/5%2] }},
		{"sine", catalog.Values{"rate": rate(100, second), "amplitude": share(1, 1), "period": value(2 * second), "arrivals": value("poisson")},
			func(tenth int) float64 {
				turn := func(x float64) float64 { return math.Cos(2*math.Pi*x) / (2 * math.Pi) }
				at := float64(tenth)/10 - 0.3
				return 100 * 100 * 2 * (0.1 + turn(at) - turn(at+0.1))
			}},
	} {
		n := make([]float64, 10)
		for _, at := range instants(build(t, c.pattern, shifted(c.options, 600*millisecond), span), 1) {
			n[at%(2*second)/(200*millisecond)]++
		}
		for i, got := range n {
			if want := c.want(i); math.Abs(got-want) > 4*math.Sqrt(want) {
				t.Errorf("%s: %g arrivals in tenth %d of the periods, want %.0f", c.pattern, got, i, want)
			}
		}
	}
}
