package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// keySpread tells how far the over-limit of equal keys would spread by chance. The mean
// of each key differs between the halves of the span by chance alone, whatever the keys'
// own means are, and whatever happens to all keys at the same time. So with the residuals
// a and b of a key's halves from the means of all keys, (a-b)^2 tells the variance of
// chance, and (a-b)^2*(a+b) its third cumulant. Halves that compensate each other, such as
// those of a bucket whose burst is spent in one of them, differ by more than their sum.
type keySpread struct {
	mean  [2]float64   // of max(0, A-L)/L in each half, over the saturated windows of all keys
	whole float64      // in the span
	sizes []keysOfSize // of all keys, by the number of windows
	count int64        // keys with saturated windows
	pairs int64        // those with some in both halves

	squares, variances float64 // sums of (a-b)^2, and of what it is if a window has a variance of 1
	cubes, cumulants   float64 // the same of the third cumulant
	own, common        float64 // sums of a^2 + b^2, and of a*b
}

// keysOfSize is a number of keys with so many saturated windows.
type keysOfSize struct{ windows, keys int64 }

// newKeySpread returns the spread of keys that have these saturated windows.
func newKeySpread(saturated []*saturatedWindows) *keySpread {
	var over [2]float64
	var windows [2]int64
	for _, s := range saturated {
		for part := range s.parts {
			cost, half := int64(0), min(part, secondHalf)
			for admitted, n := range s.parts[part].all {
				cost += max(0, admitted-s.limit) * n
				windows[half] += n
			}
			over[half] += float64(cost) / float64(s.limit)
		}
	}
	return &keySpread{
		mean:  [2]float64{over[0] / float64(windows[0]), over[1] / float64(windows[1])},
		whole: (over[0] + over[1]) / float64(windows[0]+windows[1]),
	}
}

// add adds a key with these sums of max(0, A-L)/L over so many saturated windows of each
// half. The conversions keep all machines to the same bits.
func (s *keySpread) add(over [2]float64, windows [2]int64) {
	s.count++
	if windows[0] == 0 || windows[1] == 0 {
		return
	}
	s.pairs++
	n, m := float64(windows[0]), float64(windows[1])
	a, b := over[0]/n-s.mean[0], over[1]/m-s.mean[1]
	square := float64((a - b) * (a - b))
	s.squares += square
	s.variances += 1/n + 1/m
	s.cubes += float64(square * (a + b))
	s.cumulants += 1/float64(n*n) + 1/float64(m*m)
	s.own += float64(a*a) + float64(b*b)
	s.common += float64(a * b)
}

// deviation returns the standard deviation of a key's mean over n windows, and its
// skewness.
func (s *keySpread) deviation(n int64) (sd, skew float64) {
	variance := s.squares / s.variances * float64(s.pairs) / float64(s.pairs-1)
	if twice := 2 * s.common; twice < -2*s.own/math.Sqrt(float64(s.pairs)) { // significantly below 0
		variance *= (s.own + twice) / (s.own - twice)
	}
	if variance <= 0 {
		return 0, 0
	}
	skew = s.cubes / s.cumulants / float64(variance*math.Sqrt(variance)) / math.Sqrt(float64(n))
	return math.Sqrt(variance / float64(n)), max(0, min(skew, 3))
}

// setSizes sets the numbers of keys by their windows.
func (s *keySpread) setSizes(counts *windowCounts) {
	for windows, keys := range counts.all {
		s.sizes = append(s.sizes, keysOfSize{windows, keys})
	}
	slices.SortFunc(s.sizes, func(a, b keysOfSize) int { return cmp.Compare(a.windows, b.windows) })
}

// beyond returns how many of equal keys are expected to have a mean of more than x. above
// is the tail of the distribution of a mean without skewness.
func (s *keySpread) beyond(x float64, above func(float64) float64) (keys float64) {
	for _, n := range s.sizes {
		sd, skew := s.deviation(n.windows)
		if sd > 0 {
			keys += float64(float64(n.keys) * stats.SkewedAbove(skew, (x-s.whole)/sd, above))
		}
	}
	return keys
}

// equalBeyond returns how many equal keys would be expected to have a mean of at least x.
// The tail is that of Student's t, because deviations are estimated.
func equalBeyond(spreads []*keySpread, x float64) (keys float64) {
	for _, s := range spreads {
		if x <= s.whole {
			keys += float64(s.count)
		} else {
			keys += s.beyond(x, stats.StudentAbove(int(min(s.pairs-1, 1e6))))
		}
	}
	return keys
}

// largestOfEqual returns about the expected largest mean of equal keys: what e^-0.577 of
// them are expected to exceed (0.577 is Euler's constant; exact in the limit of many keys).
// The keys of each spread are equal.
func largestOfEqual(spreads []*keySpread) float64 {
	const exceed = 0.5614594835668851
	beyond := func(x float64) (keys float64) {
		for _, s := range spreads {
			keys += s.beyond(x, stats.NormalAbove)
		}
		return keys
	}
	lo := 0.0
	for _, s := range spreads {
		lo = max(lo, s.whole)
	}
	step := 0.01
	for ; beyond(lo+step) > exceed; step *= 2 {
	}
	hi := lo + step
	for range 50 {
		if mid := (lo + hi) / 2; beyond(mid) > exceed {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
