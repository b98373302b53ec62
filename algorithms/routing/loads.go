package routing

import "math/big"

// loads are decayed sums of the cost that slices served: what was served a half
// life ago counts half. Only their proportions are of use, so nothing is
// decayed as time passes: new cost weighs more instead, 2^12 at first and ever
// more in steps of a 128th of a half life, and whenever that has doubled all
// sums are halved.
type loads struct {
	step   int64 // ns, a 128th of the half life
	since  int64 // start of this half life
	until  int64 // end of the present step
	weight uint64
	most   uint64 // of one slice, so that all of them add up within 64 bits
	of     []uint64
}

const loadSteps = 128

// loadWeights are 2^(i/128) in units of 2^-12, to the nearest.
var loadWeights = makeLoadWeights()

func makeLoadWeights() (weights [loadSteps]uint64) {
	const precision = 128
	one := new(big.Int).Lsh(big.NewInt(1), precision)
	step := new(big.Int).Lsh(one, 1)
	for n := loadSteps; n > 1; n /= 2 {
		step.Sqrt(step.Lsh(step, precision))
	}
	at := one
	for i := range weights {
		nearest := new(big.Int).Rsh(at, precision-13)
		weights[i] = (nearest.Uint64() + 1) / 2
		at = new(big.Int).Rsh(new(big.Int).Mul(at, step), precision)
	}
	return weights
}

func newLoads(slices int, halfLife, start int64) loads {
	step := max(1, halfLife/loadSteps)
	return loads{
		step: step, since: start, until: start + min(step, never-start),
		weight: loadWeights[0], most: 1 << 63 / uint64(slices), of: make([]uint64, slices),
	}
}

func (l *loads) add(now int64, slice int32, cost int64) {
	if now >= l.until {
		l.reach(now)
	}
	// A cost is cut so that a product stays far within 64 bits.
	l.of[slice] = min(l.most, l.of[slice]+l.weight*uint64(min(max(cost, 0), 1<<32)))
}

// reach brings the weight of new cost up to now.
func (l *loads) reach(now int64) {
	if now < l.until {
		return
	}
	steps := (now - l.since) / l.step
	if halves := steps / loadSteps; halves > 0 {
		for i := range l.of {
			l.of[i] >>= min(halves, 63)
		}
		l.since += halves * loadSteps * l.step
		steps %= loadSteps
	}
	l.weight = loadWeights[steps]
	end := l.since + steps*l.step
	l.until = end + min(l.step, never-end)
}
