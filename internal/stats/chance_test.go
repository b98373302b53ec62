package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNullRejections draws many pairs of samples from one distribution. Within
// the limits of chance, at most 5 % of them may be significant at 0.05, and
// after correction at most 5 % of the families. The differences are normal,
// heavy-tailed, or whole numbers with ties.
func TestNullRejections(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	r := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func() float64{
		"normal":       r.NormFloat64,
		"heavy-tailed": func() float64 { return math.Exp(2 * r.NormFloat64()) },
		"tied":         func() float64 { return float64(r.IntN(4)) },
	}
	for name, draw := range draws {
		for _, c := range []struct{ n, trials int }{{6, 4000}, {10, 2000}, {20, 40}} {
			var paired, ranks, up int
			for range c.trials {
				base, now := sample(draw, c.n), sample(draw, c.n)
				change := Compare(Sample{Values: base}, Sample{Values: now}, true)
				if change.Test.Either <= 0.05 {
					paired++
				}
				if change.Test.Up <= 0.05 {
					up++
				}
				if Compare(Sample{Values: base}, Sample{Values: now}, false).Test.Either <= 0.05 {
					ranks++
				}
			}
			// The bound is four standard deviations above the stated rate.
			most := 0.05*float64(c.trials) + 4*math.Sqrt(0.05*0.95*float64(c.trials))
			for test, rejected := range map[string]int{"paired": paired, "one-sided": up, "unpaired": ranks} {
				if float64(rejected) > most {
					t.Errorf("%s, n=%d, %s: %d of %d null comparisons significant, at most %.0f may be", name, c.n, test, rejected, c.trials, most)
				}
			}
		}
	}
}

// TestNullFamilies draws families of dependent, skewed and tied figures without a
// change. At most 5 % of the families may have a significant one.
func TestNullFamilies(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	const trials, cells = 800, 40
	r := rand.New(rand.NewPCG(3, 4))
	draws := map[string]func(common float64) float64{
		"normal":      func(float64) float64 { return r.NormFloat64() },
		"dependent":   func(common float64) float64 { return common + 0.3*r.NormFloat64() },
		"skewed":      func(float64) float64 { return math.Exp(2 * r.NormFloat64()) },
		"mostly tied": func(float64) float64 { return float64(max(0, r.IntN(12)-10)) },
	}
	for name, draw := range draws {
		for _, paired := range []bool{true, false} {
			const n = 7 // 128 patterns, 3432 divisions
			wrong := 0
			for range trials / 4 {
				figures, samples := make([]Figure, cells), make([]Samples, cells)
				for range n {
					x, y := r.NormFloat64(), r.NormFloat64()
					for c := range cells {
						base, now := draw(x), draw(y)
						figures[c].Differences = append(figures[c].Differences, now-base)
						samples[c].Base, samples[c].Now = append(samples[c].Base, base), append(samples[c].Now, now)
					}
				}
				joint := JointSignFlip(figures)
				if !paired {
					joint = JointLabels(samples)
				}
				if slices.Min(joint.Up) <= 0.05 {
					wrong++
				}
			}
			if most := 0.05*trials/4 + 4*math.Sqrt(0.05*0.95*trials/4); float64(wrong) > most {
				t.Errorf("%s, paired %v: %d of %d families without a change had one found, at most %.0f may", name, paired, wrong, trials/4, most)
			}
			if wrong == 0 && name != "mostly tied" {
				t.Errorf("%s, paired %v: no family at all came out wrong: the correction leaves no power", name, paired)
			}
		}
	}
}

// TestPower checks that a shift of one standard deviation of the differences is
// found with 14 replications in most cases, and that pairing finds a shift that
// is smaller than the noise common to both runs.
func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const trials = 100
	var found, paired, ranks int
	for range trials {
		d := sample(r.NormFloat64, 14)
		for i := range d {
			d[i]++
		}
		if SignFlip(d).Up <= 0.05 {
			found++
		}
		base, now := sample(r.NormFloat64, 10), make([]float64, 10)
		for i := range base {
			base[i] *= 100 // the traffic's noise, common to both runs
			now[i] = base[i] + 1 + r.NormFloat64()/4
		}
		if Compare(Sample{Values: base}, Sample{Values: now}, true).Test.Up <= 0.05 {
			paired++
		}
		if Compare(Sample{Values: base}, Sample{Values: now}, false).Test.Up <= 0.05 {
			ranks++
		}
	}
	if found < 90 || paired != trials || ranks > 20 {
		t.Errorf("found %d shifts of one deviation, %d paired, %d unpaired; want >= 90, %d, few", found, paired, ranks, trials)
	}
}

func TestCompare(t *testing.T) {
	one, other := Sample{[]float64{5}, true}, Sample{[]float64{5.5}, true}
	if c := Compare(one, other, true); c.Method != Deterministic || c.Test.Either != 0 || c.Interval != (Interval{0.5, 0}) || !c.Enough(0.05, true) {
		t.Errorf("two exact figures that differ: %+v", c)
	}
	if c := Compare(one, one, true); !c.Same || c.Test.Either != 1 {
		t.Errorf("two exact figures that are equal: %+v", c)
	}
	random := Sample{Values: []float64{6, 7, 6, 7, 6, 7}}
	if c := Compare(one, random, true); c.Method != OneSide || c.Test.Up != 1.0/64 || c.Interval.Mean != 1.5 {
		t.Errorf("random against exact: %+v", c)
	}
	if c := Compare(random, Sample{Values: random.Values[:5]}, true); c.Method != Paired || len(c.Differences) != 5 {
		t.Errorf("unequal numbers of replications are compared as %s of %d", c.Method, len(c.Differences))
	}
	if c := Compare(random, random, true); !c.Same || c.Method != Paired {
		t.Errorf("the same values: %+v", c)
	}
	if c := Compare(random, random, false); !c.Same || c.Method != Independent {
		t.Errorf("the same values of other traffic: %+v", c)
	}
	four := Sample{Values: []float64{1, 2, 3, 4}}
	if c := Compare(four, four, true); c.Enough(0.05, false) || c.Needed(0.05, false) != 5 || c.Needed(0.05, true) != 6 {
		t.Errorf("four pairs are enough, or need %d and %d", c.Needed(0.05, false), c.Needed(0.05, true))
	}
}

func sample(draw func() float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = draw()
	}
	return values
}
