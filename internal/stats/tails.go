package stats

// NormalAbove returns P(Z > x) of a standard normal Z within 1e-7 of the density, with the
// same bits on every machine, which math.Erfc does not have. Source: Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.2.17.
func NormalAbove(x float64) float64 {
	if x < 0 {
		return 1 - NormalAbove(-x)
	}
	t, sum := 1/(1+float64(0.2316419*x)), 0.0
	for _, c := range [...]float64{1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530} {
		sum = float64((sum + c) * t)
	}
	return sum * expMinus(float64(x*x)/2) * 0.3989422804014327
}

// expMinus returns e^-x for x >= 0 within 1e-6 of it.
func expMinus(x float64) float64 {
	if x > 700 {
		return 0
	}
	y, term, sum := x/1024, 1.0, 1.0
	for i := 1.0; i <= 6; i++ {
		term *= y / i
		sum += term
	}
	e := 1 / sum
	for range 10 {
		e *= e
	}
	return e
}

// StudentAbove returns P(t > x) as a function, of Student's t with df degrees of freedom.
func StudentAbove(df int) func(x float64) float64 { return spreadOf(df).above }

// SkewedAbove returns P(X > x) of a gamma distribution that is shifted to a mean of 0 and
// scaled to a variance of 1, with a skewness of at least 0. above is the tail that it has
// without skewness. Source: Wilson and Hilferty, "The distribution of chi-square",
// Proceedings of the National Academy of Sciences 17 (1931).
func SkewedAbove(skew, x float64, above func(float64) float64) float64 {
	if skew < 1e-6 {
		return above(x)
	}
	root := cubeRoot(max(0, 1+float64(skew*x)/2))
	return above(6*(root-1)/skew + skew/6)
}
