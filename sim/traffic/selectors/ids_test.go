package selectors

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func value(v any) catalog.Value { return catalog.Value{V: v, Given: true} }

func ids(t *testing.T, name string, v catalog.Values) Ids {
	t.Helper()
	c, err := NewIds(catalog.Choice{Name: name, Values: v}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// frequencies returns how often each id was selected in n draws, in columns of
// 97.
func frequencies(fill func(s *random.Stream, column []int32), count, n int) []float64 {
	s := random.New(7, 0, "test")
	f := make([]float64, count)
	for done := 0; done < n; {
		column := make([]int32, min(97, n-done))
		fill(&s, column)
		for _, id := range column {
			f[id]++
		}
		done += len(column)
	}
	return f
}

// fits compares frequencies with probabilities by chi-square, within four
// standard deviations of its mean.
func fits(t *testing.T, what string, f, p []float64, n int) {
	t.Helper()
	chi, freedom := 0.0, -1.0
	for i := range f {
		if p[i] == 0 {
			if f[i] > 0 {
				t.Errorf("%s: id %d came up %.0f times, but has no share", what, i, f[i])
			}
			continue
		}
		e := p[i] * float64(n)
		chi += (f[i] - e) * (f[i] - e) / e
		freedom++
	}
	if math.Abs(chi-freedom) > 4*math.Sqrt(2*freedom) {
		t.Errorf("%s: chi-square is %.1f with %.0f degrees of freedom", what, chi, freedom)
	}
}

func TestIdsHaveTheirShares(t *testing.T) {
	const n = 400_000
	even := make([]float64, 37)
	for i := range even {
		even[i] = 1.0 / 37
	}
	fits(t, "uniform", frequencies(ids(t, "uniform", catalog.Values{"count": value(int64(37))}).Fill, 37, n), even, n)

	shares := []float64{0.3, 0.7 / 4, 0.7 / 4, 0.7 / 4, 0.7 / 4}
	c := ids(t, "hot", catalog.Values{"count": value(int64(5)), "share": value(units.Fraction{Num: 3, Den: 10})})
	fits(t, "hot", frequencies(c.Fill, 5, n), shares, n)

	for _, s := range []float64{0, 0.8, 1.2} {
		c := ids(t, "zipf", catalog.Values{"count": value(int64(200)), "s": value(s)})
		fits(t, "zipf", frequencies(c.Fill, 200, n), powerLaw(200, s), n)
	}
}

func powerLaw(count int, s float64) []float64 {
	p, sum := make([]float64, count), 0.0
	for i := count - 1; i >= 0; i-- {
		p[i] = math.Pow(float64(i+1), -s)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// The cells of a zipf hold each id's exact share, within 2^-32 of an average
// share.
func TestZipfCells(t *testing.T) {
	for _, c := range []struct {
		count int
		s     float64
	}{{1, 1}, {2, 0}, {10, 0.3}, {1000, 1}, {50_000, 1.1}, {50_000, 3}, {997, 15}} {
		units := make([]float64, c.count)
		for id, cell := range newZipf(c.count, c.s).cells {
			if cell.other == int32(id) {
				units[id] += 1 << 32
				continue
			}
			units[id] += float64(cell.cut)
			units[cell.other] += 1<<32 - float64(cell.cut)
		}
		all := float64(c.count) * (1 << 32)
		for id, p := range powerLaw(c.count, c.s) {
			if diff := math.Abs(units[id] - p*all); diff > 2+1e-11*p*all {
				t.Fatalf("zipf %d %g: id %d has %.0f units, want %.2f", c.count, c.s, id, units[id], p*all)
			}
		}
	}
}

func TestPowersAreWithinTheirPrecision(t *testing.T) {
	for _, s := range []float64{0.5, 1, 1.37} {
		for i, got := range inversePowers(3000, s) {
			want := math.Pow(float64(i+1), -s)
			if math.Abs(float64(got)/(1<<63)/want-1) > 1e-13 {
				t.Fatalf("%d^-%g is %g, want %g", i+1, s, float64(got)/(1<<63), want)
			}
		}
	}
}

func TestUnknownIds(t *testing.T) {
	if _, err := NewIds(catalog.Choice{Name: "nothing", Values: catalog.Values{"count": value(int64(5))}}, 10); err == nil {
		t.Error("a choice that does not exist is accepted")
	}
}
