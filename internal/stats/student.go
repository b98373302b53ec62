// Package stats compares metrics over replications. If two runs saw the same
// traffic, their replications are pairs, and the sign-flip permutation test
// separates a change from chance, for a whole family of figures together.
// Independent runs are compared by Student's t, and with a fixed baseline by a
// tolerance limit. It also computes which changes such tests catch.
//
// Every function is a pure function of its arguments: it reads no clock and no
// global source of randomness. The package imports no other package of this
// module.
package stats

// studentT is the 0.975 quantile of Student's t by degrees of freedom, from 1.
var studentT = [...]float64{
	12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
	2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852,
	2.200985160, 2.178812830, 2.160368656, 2.144786688, 2.131449546,
	2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447,
	2.079613845, 2.073873068, 2.068657610, 2.063898562, 2.059538553,
	2.055529439, 2.051830516, 2.048407142, 2.045229642, 2.042272456,
}

// T975 returns the 0.975 quantile of Student's t with df degrees of freedom:
// half of a 95 % interval is that many standard errors. It is exact to nine
// decimals up to 30 degrees of freedom and within 2e-6 above. It panics if df is
// below 1.
//
// Above 30 it expands the quantile about the normal one (Cornish and Fisher;
// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5). Plain
// arithmetic with explicit conversions gives the same bits on every machine,
// which a library's incomplete beta function does not.
func T975(df int) float64 {
	if df < 1 {
		panic("stats: Student's t needs a degree of freedom")
	}
	if df <= len(studentT) {
		return studentT[df-1]
	}
	const z = 1.959963984540054 // the 0.975 quantile of the standard normal distribution
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
