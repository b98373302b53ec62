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

// OfMeanAmong is OfMean for one of n figures whose intervals must all cover, with 95 %
// together (Bonferroni's inequality).
func OfMeanAmong(n int, values []float64) Interval {
	i := OfMean(values)
	if n > 1 && i.Half > 0 && len(values) > 1 {
		df := len(values) - 1
		i.Half *= spreadOf(df).quantileAbove(0.025/float64(n)) / T975(df)
	}
	return i
}

// OfDifference returns the interval of mean(now) - mean(base) for independent
// samples that may differ in variance: Welch, "The generalization of Student's
// problem when several different population variances are involved", Biometrika
// 34 (1947). The degrees of freedom are rounded down, which can only widen it.
func OfDifference(base, now []float64) Interval {
	difference, se, df := welch(base, now)
	if df == 0 {
		return Interval{difference, math.Inf(1)}
	}
	if se == 0 {
		return Interval{difference, 0}
	}
	return Interval{difference, float64(T975(df) * se)}
}

// Welch tests whether two independent samples have the same mean, with the
// standard error and the degrees of freedom of OfDifference: a p-value of 0.05 for
// either direction is where its interval ends at 0. With a single value on a side
// all p-values are 1.
func Welch(base, now []float64) Test {
	difference, se, df := welch(base, now)
	switch {
	case df == 0, se == 0 && difference == 0:
		return Test{1, 1, 1}
	case se == 0 && difference > 0:
		return Test{0, 1, 0}
	case se == 0:
		return Test{1, 0, 0}
	}
	up := TAbove(difference/se, df)
	return Test{up, 1 - up, min(1, 2*min(up, 1-up))}
}

// welch returns the difference of the means, its standard error and its degrees
// of freedom, 0 if a sample has no variance to estimate it from.
func welch(base, now []float64) (difference, se float64, df int) {
	meanBase, varBase := moments(base)
	meanNow, varNow := moments(now)
	difference = meanNow - meanBase
	if len(base) < 2 || len(now) < 2 {
		return difference, 0, 0
	}
	a, b := varBase/float64(len(base)), varNow/float64(len(now))
	if a+b == 0 {
		return difference, 0, 1
	}
	freedom := float64((a+b)*(a+b)) / (float64(a*a)/float64(len(base)-1) + float64(b*b)/float64(len(now)-1))
	return difference, math.Sqrt(a + b), max(1, int(freedom+1e-9))
}

// SD returns the standard deviation of values, 0 for one value. It panics on no
// values.
func SD(values []float64) float64 {
	_, variance := moments(values)
	return math.Sqrt(variance)
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
