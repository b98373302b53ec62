package measure

import "math/big"

// Value is the value of a metric in one replication, or the reason why there is
// none, and what the replication adds to the metric over all replications.
type Value struct {
	X      float64
	NoData string // if not empty, why there is no value
	Pool   Pool
	Longer bool // X is a time after which the end of the run was reached: the true one is longer
}

// Pool is what one replication adds to a metric over all replications. The zero Pool
// adds its value to a mean, to which a replication without a value adds none: there is
// no mean then. With another kind, such a replication adds no observation.
type Pool struct {
	Kind     PoolKind
	Num, Den float64       // of Ratio
	Of       *Distribution // of Quantile; nil: no observations
	Permille int64         // of Quantile; 1000 is the largest observation
}

// PoolKind states how the values of replications become one figure.
type PoolKind int8

const (
	Mean     PoolKind = iota // the mean of the values
	Ratio                    // the sum of all Num over the sum of all Den
	Quantile                 // the quantile of all observations
)

// Emit receives the value of a metric by its name.
type Emit func(name string, value Value)

// count emits an exact count.
func (emit Emit) count(name string, n int64) { emit(name, Number(float64(n))) }

// ratio emits factor*num/den, or that there is no observation if den is 0.
func (emit Emit) ratio(name string, factor, num, den int64) {
	emit(name, ratioOr("", factor, num, den))
}

// rate emits factor*num/den, where den is the same in all replications, and nothing if it
// is 0.
func (emit Emit) rate(name string, factor, num, den int64) {
	if den != 0 {
		emit(name, Number(ratio(factor, num, den)))
	}
}

// Number returns a Value that holds x.
func Number(x float64) Value { return Value{X: x} }

// numberOf returns a Value that holds x, rounded once.
func numberOf(x *big.Rat) Value {
	f, _ := x.Float64()
	return Number(f)
}

// ratioOr returns factor*num/den, a ratio of sums over replications. If den is 0, it
// returns the reason; "" stands for the one of the meter.
func ratioOr(reason string, factor, num, den int64) Value {
	if den == 0 {
		return Value{NoData: reason, Pool: Pool{Kind: Ratio}}
	}
	return Value{X: ratio(factor, num, den), Pool: Pool{Kind: Ratio, Num: ratio(factor, num, 1), Den: float64(den)}}
}

// meanOf returns sum/n, a ratio of sums over replications, or this reason if n is 0.
func meanOf(none string, sum *big.Rat, n int64) Value {
	if n == 0 {
		return Value{NoData: none, Pool: Pool{Kind: Ratio}}
	}
	v := numberOf(new(big.Rat).Mul(sum, big.NewRat(1, n)))
	v.Pool = Pool{Kind: Ratio, Num: numberOf(sum).X, Den: float64(n)}
	return v
}

// quantileOf returns a quantile of all observations of all replications, which is x in
// this one, or the reason if there are none.
func quantileOf(none string, x float64, of *Distribution, permille int64) Value {
	p := Pool{Kind: Quantile, Of: of, Permille: permille}
	if of == nil || len(*of) == 0 {
		return Value{NoData: none, Pool: Pool{Kind: Quantile, Permille: permille}}
	}
	return Value{X: x, Pool: p}
}

// NoData returns a Value that holds the reason why there is none.
func NoData(reason string) Value { return Value{NoData: reason} }
