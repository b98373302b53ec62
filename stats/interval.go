package stats

import "math"

// Interval is a mean with its 95 % interval, Mean-Half to Mean+Half. Half is
// infinite if there are too few values for an interval.
type Interval struct {
	Mean, Half float64
}

// Lo returns the lower bound of the interval.
func (i Interval) Lo() float64 { return i.Mean - i.Half }

// Hi returns the upper bound of the interval.
func (i Interval) Hi() float64 { return i.Mean + i.Half }

// OfMean returns the mean of independent values and its interval by Student's t.
// For paired differences it is the interval of the mean difference. Equal values
// have their common value as the mean, to the bit, and an interval of width 0. A
// single value has no interval. It panics on no values.
func OfMean(values []float64) Interval {
	mean, variance := moments(values)
	switch {
	case len(values) < 2:
		return Interval{mean, math.Inf(1)}
	case variance == 0:
		return Interval{mean, 0}
	}
	// The conversion keeps arm64 from fusing the product into Lo and Hi.
	return Interval{mean, float64(T975(len(values)-1) * math.Sqrt(variance/float64(len(values))))}
}

// OfDifference returns the interval of mean(now) - mean(base) for independent
// samples that may differ in variance: Welch, "The generalization of Student's
// problem when several different population variances are involved", Biometrika
// 34 (1947). The degrees of freedom are rounded down, which can only widen it.
func OfDifference(base, now []float64) Interval {
	meanBase, varBase := moments(base)
	meanNow, varNow := moments(now)
	diff := meanNow - meanBase
	if len(base) < 2 || len(now) < 2 {
		return Interval{diff, math.Inf(1)}
	}
	a, b := varBase/float64(len(base)), varNow/float64(len(now))
	if a+b == 0 {
		return Interval{diff, 0}
	}
	df := float64((a+b)*(a+b)) / (float64(a*a)/float64(len(base)-1) + float64(b*b)/float64(len(now)-1))
	return Interval{diff, float64(T975(max(1, int(df+1e-9))) * math.Sqrt(a+b))}
}

// moments returns the mean and the unbiased variance, which is 0 for one value.
func moments(values []float64) (mean, variance float64) {
	if len(values) == 0 {
		panic("stats: no values")
	}
	sum, same := 0.0, true
	for _, x := range values {
		sum += x
		same = same && x == values[0]
	}
	if same {
		return values[0], 0
	}
	mean = sum / float64(len(values))
	squares := 0.0
	for _, x := range values {
		squares += float64((x - mean) * (x - mean)) // the conversion keeps arm64 from fusing
	}
	return mean, squares / float64(len(values)-1)
}

// Mean returns the arithmetic mean. Equal values have their common value as the
// mean, to the bit. It panics on no values.
func Mean(values []float64) float64 {
	mean, _ := moments(values)
	return mean
}
