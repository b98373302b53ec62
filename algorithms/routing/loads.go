package routing

import "math"

// loads holds decayed sums of the cost that slices served: cost from one half-life
// ago counts half. Only the ratios of the sums matter, so instead of decaying the
// sums, newer cost gets a larger weight: 2^12 at first, growing in steps of a 128th
// of a half-life. When the weight has doubled, all sums are halved.
type loads struct {
	since  int64 // start of the present half-life
	until  int64 // end of the present step
	weight uint64
	most   uint64 // upper bound of one slice's sum, so that the total fits 64 bits
	of     []uint64
}

const (
	halfLife  = 120_000_000_000 // ns
	loadSteps = 128
	loadStep  = halfLife / loadSteps // ns
)

// loadWeights holds 2^(i/128) in units of 2^-12, rounded to the nearest.
var loadWeights = makeLoadWeights()

// makeLoadWeights takes roots and products only. These are rounded correctly on
// every processor, unlike math.Exp2.
func makeLoadWeights() (weights [loadSteps]uint64) {
	step := 2.0
	for n := loadSteps; n > 1; n /= 2 {
		step = math.Sqrt(step)
	}
	weight := 1.0 * (1 << 12)
	for i := range weights {
		weights[i] = uint64(math.Round(weight))
		weight *= step
	}
	return weights
}

func newLoads(slices int, start int64) loads {
	return loads{
		since: start, until: start + min(loadStep, never-start),
		weight: loadWeights[0], most: 1 << 63 / uint64(slices), of: make([]uint64, slices),
	}
}

func (l *loads) add(now int64, slice int32, cost int64) {
	if now >= l.until {
		l.reach(now)
	}
	// The bound on the cost keeps the product far within 64 bits.
	l.of[slice] = min(l.most, l.of[slice]+l.weight*uint64(min(max(cost, 0), 1<<32)))
}

// reach updates the weight of new cost to now.
func (l *loads) reach(now int64) {
	if now < l.until {
		return
	}
	steps := (now - l.since) / loadStep
	if halves := steps / loadSteps; halves > 0 {
		for i := range l.of {
			l.of[i] >>= min(halves, 63)
		}
		l.since += halves * halfLife
		steps %= loadSteps
	}
	l.weight = loadWeights[steps]
	end := l.since + steps*loadStep
	l.until = end + min(loadStep, never-end)
}
