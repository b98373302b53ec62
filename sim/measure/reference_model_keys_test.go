package measure

import (
	"math"
	"slices"
	"testing"
)

func init() { referenceModels = append(referenceModels, (*world).referenceEqualKeys) }

// halfOfKey is the saturated windows of a key in one half: their number and the sum of
// max(0, A-L)/L.
type halfOfKey struct{ n, sum float64 }

// referenceEqualKeys computes what the worst of equal keys would be.
func (w *world) referenceEqualKeys(fig map[string]float64) {
	c := w.cfg
	first, last := (c.Start+c.Window-1)/c.Window, c.End/c.Window
	middle := first + max(0, last-first)/2
	keys := make([][2]halfOfKey, c.Keys)
	var all [2]halfOfKey
	for key := range keys {
		for j := first; j < last; j++ {
			in := func(r row) bool { return r.key == int32(key) && r.time/c.Window == j }
			l := w.limitIn(j*c.Window, (j+1)*c.Window)
			if w.sum(offered, in)+w.sum(net, func(r row) bool { return r.key == int32(key) && r.time < j*c.Window }) < l {
				continue
			}
			half := 0
			if j >= middle {
				half = 1
			}
			over := float64(max(0, w.sum(admitted, in)-l)) / float64(l)
			for _, h := range []*halfOfKey{&keys[key][half], &all[half]} {
				h.n++
				h.sum += over
			}
		}
	}
	var squares, variances, cubes, cumulants, pairs, own, common float64
	for _, k := range keys {
		if n, m := k[0].n, k[1].n; n > 0 && m > 0 {
			a, b := k[0].sum/n-all[0].sum/all[0].n, k[1].sum/m-all[1].sum/all[1].n
			squares += math.Pow(a-b, 2)
			cubes += math.Pow(a-b, 2) * (a + b)
			variances += 1/n + 1/m
			cumulants += 1/(n*n) + 1/(m*m)
			own += a*a + b*b
			common += a * b
			pairs++
		}
	}
	if c.Keys == 1 || pairs < 2 {
		return
	}
	mean := (all[0].sum + all[1].sum) / (all[0].n + all[1].n)
	variance := squares / variances * pairs / (pairs - 1)
	if 2*common/own < -2/math.Sqrt(pairs) {
		variance *= (own + 2*common) / (own - 2*common)
	}
	beyond := func(x float64) (expected float64) {
		for _, k := range keys {
			if n := k[0].n + k[1].n; n > 0 {
				sd := math.Sqrt(variance / n)
				skew := min(3, max(1e-9, cubes/cumulants/math.Pow(variance, 1.5)/math.Sqrt(n)))
				z := 6/skew*(math.Cbrt(max(0, 1+skew*(x-mean)/sd/2))-1) + skew/6
				expected += math.Erfc(z/math.Sqrt2) / 2
			}
		}
		return expected
	}
	lo, hi := mean, 1e9
	for variance > 0 && hi-lo > 1e-9*hi {
		if mid := (lo + hi) / 2; beyond(mid) > math.Exp(-0.5772156649015329) {
			lo = mid
		} else {
			hi = mid
		}
	}
	fig["over_limit_pct_equal_keys"] = 100 * lo
}

// TestEqualKeys checks the spread of keys whose halves are known: without differences
// between the halves, keys are not equal by chance however far they are apart, and the
// largest of equal keys is their mean. A key that is further over than ten others by far
// more than halves differ is the worst without chance.
func TestEqualKeys(t *testing.T) {
	const s = int64(1e9)
	run := func(admitted [][4]int64) (map[string]Value, WorstKey) {
		c := plain(100, s, 100, 4*s)
		c.Keys = len(admitted)
		var rows []row
		for key, windows := range admitted {
			for j, cost := range windows {
				rows = append(rows, row{time: int64(j) * s, key: int32(key), offered: 300, admitted: cost, rejected: 300 - cost, reference: 100})
			}
		}
		slices.SortStableFunc(rows, func(a, b row) int { return int(a.time - b.time) })
		r := NewRecorder(c)
		r.Flow(flow(rows))
		r.Close(c.End)
		worst, _ := r.WorstKey()
		return values(t, r), worst
	}
	v, worst := run([][4]int64{{200, 100, 200, 100}, {110, 110, 110, 110}, {120, 120, 120, 120}})
	if got := v["over_limit_pct_equal_keys"].X; math.Abs(got-80./3) > 1e-9 || worst.Equal != 0 || worst.Key != 0 || worst.Among != 3 {
		t.Errorf("keys that do not differ between halves: %v, worst %+v", got, worst)
	}
	var random, one [][4]int64
	for i := range int64(10) {
		a, b := 10*i, 10*((7*i)%10)
		random = append(random, [4]int64{110 + a, 110 + a, 110 + b, 110 + b})
	}
	one = append(append(one, random...), [4]int64{280, 280, 280, 280})
	v, worst = run(random)
	if got := v["over_limit_pct_equal_keys"].X; got < 70 || got > 110 || worst.Equal < 0.1 {
		t.Errorf("ten keys that differ by chance: %v, worst %v, %+v", got, v["over_limit_pct_worst_key"].X, worst)
	}
	if _, worst = run([][4]int64{{150, 150, 150, 150}, {150, 150, 150, 150}}); worst.Equal < 1 {
		t.Errorf("two equal keys: %+v", worst)
	}
	if _, worst = run([][4]int64{{150, 150, 50, 50}, {50, 50, 120, 150}}); worst.Equal < 0.01 {
		t.Errorf("two keys: %+v", worst)
	}
	if _, worst = run(one); worst.Equal > 0.01 || worst.Key != 10 {
		t.Errorf("one key far above ten: %+v", worst)
	}
}
