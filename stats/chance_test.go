package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNullRejections draws many pairs of samples from one distribution. Within
// the limits of chance, at most 5 % of them may be significant at 0.05, and
// after correction at most 5 % of the families. The differences are normal,
// heavy-tailed, or whole numbers with ties.
func TestNullRejections(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func() float64{
		"normal":       r.NormFloat64,
		"heavy-tailed": func() float64 { return math.Exp(2 * r.NormFloat64()) },
		"tied":         func() float64 { return float64(r.IntN(4)) },
	}
	for name, draw := range draws {
		for _, c := range []struct{ n, trials int }{{6, 4000}, {10, 2000}, {20, 150}} {
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

func TestNullFamilies(t *testing.T) {
	const trials, cells = 1000, 20
	r := rand.New(rand.NewPCG(3, 4))
	wrong := 0
	for range trials {
		p, least := make([]float64, cells), make([]float64, cells)
		for i := range cells {
			test := SignFlip(sample(r.NormFloat64, 9+i%3))
			p[i], least[i] = test.Up, test.Least
		}
		for _, corrected := range Correct(p, least, 0.05).Corrected {
			if corrected <= 0.05 {
				wrong++
				break
			}
		}
	}
	if most := 0.05*trials + 4*math.Sqrt(0.05*0.95*trials); float64(wrong) > most {
		t.Errorf("%d of %d families without a change had one found, at most %.0f may", wrong, trials, most)
	}
	if wrong == 0 {
		t.Error("no family at all came out wrong: the correction leaves no power")
	}
}

// TestPower checks that a shift of one standard deviation of the differences is
// found with 20 replications in most cases, and that pairing finds a shift that
// is smaller than the noise common to both runs.
func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const trials = 100
	var found, paired, ranks int
	for range trials {
		d := sample(r.NormFloat64, 20)
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
	if found < 95 || paired != trials || ranks > 20 {
		t.Errorf("found %d shifts of one deviation, %d paired, %d unpaired; want >= 95, %d, few", found, paired, ranks, trials)
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
	if c := Compare(random, Sample{Values: random.Values[:5]}, true); c.Method != Ranks {
		t.Errorf("unequal numbers of replications are compared as %s", c.Method)
	}
	if c := Compare(random, random, true); !c.Same || c.Method != Paired {
		t.Errorf("the same values: %+v", c)
	}
	four := Sample{Values: []float64{1, 2, 3, 4}}
	if c := Compare(four, four, true); c.Enough(0.05, false) || c.Needed(0.05, 1, false) != 5 || c.Needed(0.05, 1, true) != 6 {
		t.Errorf("four pairs are enough, or need %d and %d", c.Needed(0.05, 1, false), c.Needed(0.05, 1, true))
	}
}

func sample(draw func() float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = draw()
	}
	return values
}
