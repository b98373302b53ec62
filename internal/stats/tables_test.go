package stats

import (
	"math"
	"math/rand/v2"
	"slices"
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
	if got := SignFlip([]float64{0, 0, 0}); got != (Test{1, 1, 1}) {
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
		if got := SignFlip(d); got.Either != c.either || got.Up != c.either/2 || got.Down != 1 {
			t.Errorf("%d equal differences give %v, want %v on both sides", c.n, got, c.either)
		}
	}
	// All 100 differences are positive: no random pattern is as extreme, and
	// the p-value is the smallest possible one.
	many := make([]float64, 100)
	for i := range many {
		many[i] = 1 + float64(i)/100
	}
	if got := SignFlip(many); got.Up != 1.0/(Draws+1) {
		t.Errorf("100 pairs all up give %v, want the smallest p-value of %d draws", got, Draws)
	}
}

// TestManyReplications checks that the work is bounded for any document.
func TestManyReplications(t *testing.T) {
	values, more := make([]float64, 20_000), make([]float64, 20_000)
	for i := range values {
		values[i], more[i] = float64(i%1000), float64(i%1000)+10
	}
	if got := Compare(Sample{Values: values}, Sample{Values: more}, true); got.Test.Up > 0.002 {
		t.Errorf("paired: %+v", got.Test)
	}
	if got := Compare(Sample{Values: values}, Sample{Values: more}, false); got.Test.Up > 0.05 || got.Test.Down < 0.95 {
		t.Errorf("unpaired: %+v", got.Test)
	}
}

// TestJointLabels uses the 252 divisions of ten values into five and five: by the
// counts of Mann and Whitney's tables (1947), one is as extreme as all of now above
// all of base.
func TestJointLabels(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}
	got := JointLabels([]Samples{{Base: low, Now: high}})
	near(t, "up", got.Up[0], 1.0/252, 1e-15)
	near(t, "down", got.Down[0], 1, 0)
	if back := JointLabels([]Samples{{Base: high, Now: low}}); back.Down[0] != got.Up[0] || back.Up[0] != 1 {
		t.Errorf("the other way round: %+v", back)
	}
	near(t, "two-sided", JointLabels([]Samples{{low, high, true}}).Up[0], 2.0/252, 1e-15)
	// Unequal numbers: one of the 21 divisions of seven values into five and two.
	near(t, "5+2", JointLabels([]Samples{{Base: low, Now: high[:2]}}).Up[0], 1.0/21, 1e-15)
	// Twenty values are more than are enumerated. None of the random divisions is as
	// extreme.
	var base, now []float64
	for i := range 10 {
		base, now = append(base, float64(i)), append(now, float64(100+i))
	}
	near(t, "drawn", JointLabels([]Samples{{Base: base, Now: now}}).Up[0], 1.0/(Draws+1), 2e-5)
	if got := JointLabels([]Samples{{Base: []float64{3, 3}, Now: []float64{3, 3}}}); got.Up[0] != 1 || !math.IsInf(got.Critical(0, 0.05), 1) {
		t.Errorf("equal values give %+v", got)
	}
}

// TestJointSignFlip works three replications of two figures out by hand. The eight
// patterns give figure a (1, 1, 1) sums of 3, 1, 1, 1, -1, -1, -1, -3 over the root of
// 3, and figure b (0, 0, 2) always 1 or -1.
func TestJointSignFlip(t *testing.T) {
	a, b := Figure{Differences: []float64{1, 1, 1}}, Figure{Differences: []float64{0, 0, 2}}
	got := JointSignFlip([]Figure{a, b})
	near(t, "a", got.Up[0], 1.0/8, 1e-15)
	near(t, "b", got.Up[1], 4.0/8, 1e-15)
	near(t, "a down", got.Down[0], 1, 0)
	alone := JointSignFlip([]Figure{b})
	near(t, "b alone", alone.Up[0], 0.5, 1e-15)
	// A replication in which nothing moved changes nothing.
	c, d := Figure{Differences: []float64{1, 0, 1, 1}}, Figure{Differences: []float64{0, 0, 0, 2}}
	if again := JointSignFlip([]Figure{c, d}); again.Up[0] != got.Up[0] || again.Up[1] != got.Up[1] {
		t.Errorf("with a replication in which nothing moved: %+v, want %+v", again, got)
	}
	// The unit of a figure does not matter.
	tiny := Figure{Differences: []float64{1e-300, 1e-300, 1e-300}}
	if again := JointSignFlip([]Figure{tiny, b}); again.Up[0] != got.Up[0] {
		t.Errorf("in other units: %+v, want %+v", again, got)
	}
}

// TestCritical checks that Critical is where p-values pass the level: a figure that
// is a little above it is significant, one a little below it is not, also where others
// have more replications, in a family whose patterns are put in order and in one of few
// figures.
func TestCritical(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for trial := range 20 {
		const n = 12
		var family []Figure
		others := 30
		if trial%4 >= 2 {
			others = 3
		}
		for range others {
			family = append(family, Figure{Differences: sample(r.NormFloat64, n+trial%2*30)})
		}
		d := sample(r.NormFloat64, n)
		mean, sd := Mean(d), SD(d)
		family = append(family, Figure{Differences: d})
		critical := JointSignFlip(family).Critical(others, 0.05)
		for _, by := range []float64{0.97, 1.03} {
			moved := slices.Clone(d)
			for i := range moved { // now its t is critical*by
				moved[i] += critical*by*sd/math.Sqrt(n) - mean
			}
			family[others] = Figure{Differences: moved}
			if p := JointSignFlip(family).Up[others]; (p <= 0.05) != (by > 1) && math.Abs(p-0.05) > 0.01 {
				t.Errorf("t of %.3f times the critical one has p = %.4f", by, p)
			}
		}
	}
}

func TestNeeded(t *testing.T) {
	for twoSided, want := range map[bool][2]int{false: {5, 6}, true: {6, 6}} {
		if pairs, runs := PairsNeeded(0.05, twoSided), RunsNeeded(0.0025, twoSided); pairs != want[0] || runs != want[1] {
			t.Errorf("two-sided %v: %d pairs and %d runs are needed, want %v", twoSided, pairs, runs, want)
		}
	}
}

// TestStudentTails compares with published tables of Student's t.
func TestStudentTails(t *testing.T) {
	for _, c := range []struct {
		df   int
		x, p float64
	}{{1, 12.706, 0.025}, {4, 2.132, 0.05}, {4, 7.173, 0.001}, {9, 1.833, 0.05}, {9, 4.297, 0.001}, {18, 3.610, 0.001}, {100, 1.984, 0.025}} {
		if got := TAbove(c.x, c.df); math.Abs(got/c.p-1) > 2e-3 {
			t.Errorf("P(t > %g) with %d degrees of freedom is %g, want %g", c.x, c.df, got, c.p)
		}
		if got := TQuantile(c.p, c.df); math.Abs(got/c.x-1) > 1e-3 {
			t.Errorf("the t of %g with %d degrees of freedom is %g, want %g", c.p, c.df, got, c.x)
		}
	}
}

// TestCaught simulates gates of one figure with normal noise. A change of the stated
// size is caught with the stated probability, averaged over estimates of the noise,
// and one with a smallest change that counts as well.
func TestCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	r := rand.New(rand.NewPCG(9, 10))
	const n, trials = 10, 20_000
	for _, effect := range []float64{0, 1} {
		for _, power := range []float64{0.8, 0.99} {
			rule := Rule{effect, TQuantile(0.001, n-1), n - 1}
			stated := map[float64]float64{} // by the estimate, in hundredths
			caught := 0
			for range trials {
				estimate := math.Round(100*SD(sample(r.NormFloat64, n))) / 100 // of another gate
				change, known := stated[estimate]
				if !known {
					change = rule.Caught(PairNoise(estimate, n), power)
					stated[estimate] = change
				}
				d := sample(r.NormFloat64, n)
				mean := Mean(d) + change
				if mean >= effect && mean >= rule.Critical*SD(d)/math.Sqrt(n) {
					caught++
				}
			}
			if got := float64(caught) / trials; math.Abs(got-power) > 0.012 {
				t.Errorf("effect %g: the stated change is caught in %.3f of the gates, want %g", effect, got, power)
			}
		}
	}
	if got := (Rule{0.3, 4, 9}).Caught(Noise{}, 0.99); got != 0.3 {
		t.Errorf("without noise a change is caught from %g, want 0.3", got)
	}
	if got := (Rule{0.3, math.Inf(1), 9}).Caught(PairNoise(1, 10), 0.8); !math.IsInf(got, 1) {
		t.Errorf("where nothing is significant, %g is caught", got)
	}
}
