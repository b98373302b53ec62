package stats

// Jackknife returns the pseudo-values of a figure of all replications: values, one for
// each replication, whose mean is the figure and whose spread is that of the figure. They
// stand for the replications where a figure is no mean of single values, such as a ratio
// of sums or a quantile of all observations. without holds the figure without each
// replication. A figure of one replication is its own pseudo-value.
//
// Source: Tukey, "Bias and confidence in not-quite large samples", Annals of
// Mathematical Statistics 29 (1958), and Miller, "The jackknife: a review", Biometrika 61
// (1974). The correction of the bias is left out, so that the mean is the figure.
func Jackknife(figure float64, without []float64) []float64 {
	values := make([]float64, len(without))
	if len(without) < 2 {
		for i := range values {
			values[i] = figure
		}
		return values
	}
	mean := Mean(without)
	for i, x := range without {
		values[i] = figure + float64(float64(len(without)-1)*(mean-x))
	}
	return values
}

// WithoutEach returns the ratio of the sums of num and den, and the ratio without each of
// them. ok is false if den has fewer than two values above 0: there is a ratio then, but
// not without each. It panics if no value of den is above 0.
func WithoutEach(num, den []float64) (ratio float64, without []float64, ok bool) {
	sumNum, sumDen, some := 0.0, 0.0, 0
	for i := range num {
		sumNum, sumDen = sumNum+num[i], sumDen+den[i]
		if den[i] > 0 {
			some++
		}
	}
	if some == 0 {
		panic("stats: a ratio to nothing")
	}
	if ratio = sumNum / sumDen; some < 2 {
		return ratio, nil, false
	}
	without = make([]float64, len(num))
	for i := range num {
		without[i] = (sumNum - num[i]) / (sumDen - den[i])
	}
	return ratio, without, true
}
