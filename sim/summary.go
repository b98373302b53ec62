package sim

import (
	"math"

	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// summarise gives the mean of a figure over replications and its 95 % interval
// by Student's t. Where a replication has no figure the summary has none: a
// mean over the others would be one of a different population.
func summarise(values []measure.Value) results.Summary {
	s := results.Summary{Values: make([]*float64, len(values))}
	for i, v := range values {
		if v.NoData == "" {
			x := v.X // a copy: the caller uses the slice again for the next figure
			s.Values[i] = &x
		} else if s.Reason == "" {
			s.Reason = v.NoData
		}
	}
	if s.Reason != "" || len(values) == 0 {
		return s
	}
	mean, half := interval(values)
	lo, hi := mean-half, mean+half
	s.Mean, s.Lo, s.Hi = &mean, &lo, &hi
	return s
}

// interval is the mean of some numbers and half of its 95 % interval. Numbers
// that are all the same are their own mean, to the bit, and leave no doubt.
func interval(values []measure.Value) (mean, half float64) {
	n := float64(len(values))
	sum, same := 0.0, true
	for _, v := range values {
		sum += v.X
		same = same && v.X == values[0].X
	}
	if same {
		return values[0].X, 0
	}
	mean = sum / n
	squares := 0.0
	for _, v := range values {
		d := v.X - mean
		squares += float64(d * d) // the conversion keeps arm64 from fusing
	}
	return mean, studentT975(len(values)-1) * math.Sqrt(squares/(n-1)/n)
}

// studentT is the 0.975 quantile of Student's t by degrees of freedom, from 1.
var studentT = [...]float64{
	12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
	2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852,
	2.200985160, 2.178812830, 2.160368656, 2.144786688, 2.131449546,
	2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447,
	2.079613845, 2.073873068, 2.068657610, 2.063898562, 2.059538553,
	2.055529439, 2.051830516, 2.048407142, 2.045229642, 2.042272456,
}

// studentT975 is the 0.975 quantile of Student's t, within 2e-6: a table up to
// 30 degrees of freedom, beyond them the expansion about the normal quantile
// (Cornish and Fisher; Abramowitz and Stegun 26.7.5), in plain arithmetic so
// that every machine gets the same bits.
func studentT975(df int) float64 {
	if df <= len(studentT) {
		return studentT[df-1]
	}
	const z = 1.959963984540054
	const (
		g1 = (z*z*z + z) / 4
		g2 = (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
		g3 = (3*z*z*z*z*z*z*z + 19*z*z*z*z*z + 17*z*z*z - 15*z) / 384
	)
	v := float64(df)
	t := z + float64(g1/v)
	t += float64(g2 / float64(v*v))
	t += float64(g3 / float64(float64(v*v)*v))
	return t
}
