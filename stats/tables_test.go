package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, want %v within %v", what, got, want, within)
	}
}

// TestStudentTable compares T975 with the printed tables (Fisher and Yates,
// Statistical Tables; NIST Handbook 1.3.6.7.2), which have three decimals.
func TestStudentTable(t *testing.T) {
	for df, want := range map[int]float64{
		1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
		15: 2.131, 19: 2.093, 20: 2.086, 25: 2.060, 29: 2.045, 30: 2.042, 31: 2.040, 35: 2.030, 40: 2.021, 60: 2.000, 80: 1.990, 100: 1.984,
		120: 1.980, 1000: 1.962, 1_000_000: 1.960,
	} {
		near(t, "T975", T975(df), want, 0.00051)
	}
	// The table has nine decimals, and the expansion continues it without a
	// step.
	near(t, "T975(1)", T975(1), 12.706204736, 1e-9)
	near(t, "T975(9)", T975(9), 2.262157163, 1e-9)
	near(t, "T975(30)", T975(30), 2.042272456, 1e-9)
	near(t, "T975(31), expanded", T975(31), 2.039513446, 2e-6)
	for df := 2; df < 400; df++ {
		if T975(df) >= T975(df-1) {
			t.Fatalf("T975(%d) = %v is not below T975(%d) = %v", df, T975(df), df-1, T975(df-1))
		}
	}
}

func TestIntervals(t *testing.T) {
	// NIST's example of a paired or single mean: 2, 4, 4, 4, 5, 5, 7, 9 has mean 5
	// and standard deviation 2.138, so half is 2.365*2.138/sqrt(8).
	i := OfMean([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	near(t, "mean", i.Mean, 5, 0)
	near(t, "half", i.Half, 2.364624252*math.Sqrt(32.0/7)/math.Sqrt(8), 1e-9)
	if i := OfMean([]float64{0.1, 0.1, 0.1}); i != (Interval{0.1, 0}) {
		t.Errorf("equal values have the interval %v, want exactly 0.1 without a width", i)
	}
	if i := OfMean([]float64{3}); !math.IsInf(i.Half, 1) {
		t.Errorf("one value has the interval %v, want none", i)
	}
	// Equal spread and size: Welch's degrees of freedom are those of the pooled test.
	base, now := []float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}
	d := OfDifference(base, now)
	near(t, "difference", d.Mean, 2, 0)
	near(t, "half of it", d.Half, T975(8)*1, 1e-12)
	// If one sample has no spread, the degrees of freedom are those of the
	// other.
	near(t, "half", OfDifference([]float64{1, 1, 1, 1, 1}, now).Half, T975(4)*math.Sqrt(0.5), 1e-12)
}

// TestFishersMaize uses the example for which the sign-flip test was
// introduced: Darwin's 15 pairs of plants, in eighths of an inch. Fisher counts
// 863 of the 32,768 patterns with a sum of at least 314, and equally many with
// at most -314.
func TestFishersMaize(t *testing.T) {
	maize := []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}
	got := SignFlip(maize)
	near(t, "up", got.Up, 863.0/32768, 0)
	near(t, "either", got.Either, 1726.0/32768, 0)
	near(t, "down", got.Down, 1-835.0/32768, 0)
	near(t, "least", got.Least, 1.0/32768, 0)
	// Differences that vary only by rounding count as ties.
	scaled := make([]float64, len(maize))
	for i, d := range maize {
		scaled[i] = d * 0.1
	}
	if again := SignFlip(scaled); again != got {
		t.Errorf("in tenths the test gives %v, want %v", again, got)
	}
	// The random patterns agree with the enumeration, within the limits of
	// chance.
	twice := append(append([]float64{}, maize...), 1e-6, 1e-6) // 17 differences, much the same sum
	drawn := SignFlip(twice)
	near(t, "drawn", drawn.Up, 863.0/32768, 4*math.Sqrt(0.0263*0.9737/Draws)+1.0/Draws)
	if SignFlip(twice) != drawn {
		t.Error("the same differences give another p-value")
	}
}

func TestSignFlipEdges(t *testing.T) {
	if got := SignFlip([]float64{0, 0, 0}); got != (Test{1, 1, 1, 1}) {
		t.Errorf("differences of 0 give %v", got)
	}
	for _, c := range []struct {
		n      int
		either float64
	}{{1, 1}, {5, 0.0625}, {6, 0.03125}, {10, 2.0 / 1024}} {
		d := make([]float64, c.n)
		for i := range d {
			d[i] = 0.1
		}
		if got := SignFlip(d); got.Either != c.either || got.Up != c.either/2 || got.Down != 1 || got.Least != got.Up {
			t.Errorf("%d equal differences give %v, want %v on both sides", c.n, got, c.either)
		}
	}
	// All 100 differences are positive: no random pattern is as extreme, and
	// the p-value is the smallest possible one.
	many := make([]float64, 100)
	for i := range many {
		many[i] = 1 + float64(i)/100
	}
	if got := SignFlip(many); got.Up != 1.0/(Draws+1) || got.Least != got.Up {
		t.Errorf("100 pairs all up give %v, want the smallest p-value of %d draws", got, Draws)
	}
}

// TestManyReplications checks that the work is bounded for any document.
func TestManyReplications(t *testing.T) {
	values, more := make([]float64, 100_000), make([]float64, 100_000)
	for i := range values {
		values[i], more[i] = float64(i%1000), float64(i%1000)+10
	}
	if got := Compare(Sample{Values: values}, Sample{Values: more}, true); got.Test.Up != 1.0/1024 {
		t.Errorf("paired: %+v", got.Test)
	}
	if got := Compare(Sample{Values: values}, Sample{Values: more}, false); got.Test.Up > 0.05 || got.Test.Down != 1 {
		t.Errorf("unpaired: %+v", got.Test)
	}
}

// TestMannWhitneyTable uses the counts of Mann and Whitney's own tables (1947):
// of the 252 orders of 5 and 5 values, 1 has U = 0, 1 has U = 1, 2 have U = 2.
func TestMannWhitneyTable(t *testing.T) {
	low := []float64{1, 2, 3, 4, 5}
	for _, c := range []struct {
		name   string
		now    []float64
		either float64
	}{
		{"U = 0", []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{"U = 1", []float64{4.5, 7, 8, 9, 10}, 4.0 / 252},
		{"U = 2", []float64{3.5, 7, 8, 9, 10}, 8.0 / 252},
	} {
		got := MannWhitney(low, c.now)
		near(t, c.name, got.Either, c.either, 1e-12)
		near(t, c.name+" up", got.Up, c.either/2, 1e-12)
		near(t, c.name+" least", got.Least, 1.0/252, 1e-15)
		if back := MannWhitney(c.now, low); got.Down != 1 || back.Down != got.Up || back.Up != 1 {
			t.Errorf("%s: the sides are %v, and %v the other way round", c.name, got, back)
		}
	}
	if got := MannWhitney([]float64{3, 3}, []float64{3, 3, 3}); got.Either != 1 {
		t.Errorf("equal values give p = %v", got.Either)
	}
	values := []float64{3, 1, 2}
	MannWhitney(values, low)
	if values[0] != 3 {
		t.Error("the test reorders what it is given")
	}
}

// TestHolmTable uses an example in the style of Holm's paper and one from the
// manual of R's p.adjust, both corrected by hand.
func TestHolmTable(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.03}, []float64{0.03}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6, 0.7}, []float64{1, 1, 1}},
		{[]float64{0.01, 0.01, 0.01}, []float64{0.03, 0.03, 0.03}},
	} {
		got := Holm(c.p)
		for i := range c.want {
			near(t, "corrected", got[i], c.want[i], 1e-15)
		}
	}
}

func TestTestable(t *testing.T) {
	// Tarone's improvement: nine tests that cannot reach 0.05/10 do not weaken
	// the tenth.
	least := []float64{0.01, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}
	f := Correct([]float64{0.01, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, least, 0.05)
	if !f.Able[0] || f.Able[1] || f.Corrected[0] != 0.01 || f.Corrected[1] != 1 {
		t.Errorf("family %+v, want the first alone to be tested, at its own p-value", f)
	}
	// Ten pairs suffice for 51 tests together, but not for 52.
	same := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = 1.0 / 1024
		}
		return list
	}
	for n, want := range map[int]bool{51: true, 52: false} {
		for _, able := range Testable(same(n), 0.05) {
			if able != want {
				t.Fatalf("%d tests of ten pairs each: able is %v, want %v", n, able, want)
			}
		}
	}
}

func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		tests    int
		twoSided bool
		want     int
	}{{1, false, 5}, {1, true, 6}, {51, false, 10}, {52, false, 11}, {100, false, 11}, {5000, false, 17}, {5001, false, 0}} {
		if got := PairsNeeded(0.05, c.tests, c.twoSided); got != c.want {
			t.Errorf("%d tests (two-sided %v) need %d pairs, want %d", c.tests, c.twoSided, got, c.want)
		}
	}
	if got := RunsNeeded(0.05, 1, true); got != 4 { // benchmath has the same minimum
		t.Errorf("one two-sided U test needs %d values a side, want 4", got)
	}
}
