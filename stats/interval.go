package stats

import "math"

// Interval is a mean with its 95 % interval, Mean-Half to Mean+Half. Half is
// infinite where the number of values allows no interval.
type Interval struct {
	Mean, Half float64
}

// Lo and Hi are the interval's ends.
func (i Interval) Lo() float64 { return i.Mean - i.Half }
func (i Interval) Hi() float64 { return i.Mean + i.Half }

// OfMean is the interval of the mean of independent values by Student's t. Of
// paired differences it is the interval of the mean difference. Values that are
// all the same are their own mean, to the bit, with an interval of width 0; a
// single value has none. It panics on no values.
func OfMean(values []float64) Interval {
	mean, variance := moments(values)
	if len(values) < 2 {
		return Interval{mean, math.Inf(1)}
	}
	n := float64(len(values))
	if variance == 0 {
		return Interval{mean, 0}
	}
	return Interval{mean, T975(len(values)-1) * math.Sqrt(variance/n)}
}

// OfDifference is the interval of mean(now) - mean(base) for samples that are
// independent of one another and may spread differently: Welch, "The
// generalization of Student's problem when several different population
// variances are involved", Biometrika 34 (1947), with the degrees of freedom
// rounded down, which can only widen it.
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
	return Interval{diff, T975(max(1, int(df+1e-9))) * math.Sqrt(a+b)}
}

// moments are the mean and the unbiased variance, which is 0 for one value.
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

// Mean is the arithmetic mean; values that are all the same are their own, to
// the bit. It panics on no values.
func Mean(values []float64) float64 {
	mean, _ := moments(values)
	return mean
}
