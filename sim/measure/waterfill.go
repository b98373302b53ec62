package measure

import "slices"

// fairLevel is the max-min fair division of total among demands, all of them
// positive: demand d gets min(d, num/den). den is 0 when every demand can be
// met, which is no level at all. The demands are sorted in place.
func fairLevel(demands []int64, total int64) (num, den int64) {
	sortDemands(demands)
	for i, d := range demands {
		left := int64(len(demands) - i)
		if d > total/left {
			return total, left
		}
		total -= d
	}
	return 0, 0
}

// sortDemands sorts numbers that are not negative. Where there are many and none
// is large, as with a million tenants, it counts them: a tenth of the time.
func sortDemands(demands []int64) {
	if len(demands) == 0 {
		return
	}
	largest := slices.Max(demands)
	if largest >= int64(len(demands)) {
		slices.Sort(demands)
		return
	}
	count := make([]int32, largest+1)
	for _, d := range demands {
		count[d]++
	}
	at := 0
	for d, n := range count {
		for range n {
			demands[at] = int64(d)
			at++
		}
	}
}

// fairShare is what a demand gets at a level.
func fairShare(demand, num, den int64) float64 {
	if den == 0 || demand <= num/den {
		return float64(demand)
	}
	return ratio(1, num, den)
}

// fairRatio is admitted over the fair share of demand, the x_g of fairness.
func fairRatio(admitted, demand, num, den int64) float64 {
	if den == 0 || demand <= num/den {
		return ratio(1, admitted, demand)
	}
	return ratio(den, admitted, num)
}

// evenness accumulates Jain's index and the extremes of x over flows.
type evenness struct {
	n            int64
	sum, squares float64
	low, high    float64
}

func (e *evenness) add(x float64) {
	if e.n == 0 {
		e.low, e.high = x, x
	}
	e.n++
	e.sum += x
	e.squares += float64(x * x) // the conversion keeps arm64 from fusing
	e.low, e.high = min(e.low, x), max(e.high, x)
}

// jain is (sum x)^2 / (n * sum x^2): 1 when all are equal, 1/n when one has all.
func (e *evenness) jain() float64 {
	if e.squares == 0 {
		return 0
	}
	return float64(e.sum*e.sum) / float64(float64(e.n)*e.squares)
}
