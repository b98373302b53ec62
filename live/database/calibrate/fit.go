package calibrate

import (
	"context"
	"math"
)

// times returns pointers to the values that a fit changes.
func (m *Model) times() []*float64 {
	return []*float64{&m.Overhead, &m.Statement, &m.Service, &m.Response, &m.Recheck, &m.Abort, &m.Wakeup, &m.HeadStart}
}

// Trust in the values that a fit compares, as standard deviations.
const (
	sdRate  = 0.04 // of commits per second, relative
	sdShare = 2.0  // of the share of first tries, in points
	sdTime  = 0.5  // of the logarithm of a time that was measured without contention
)

// distance returns how far a model is from the measured points and from the model
// that it began as.
func distance(m, begin Model, simulated, measured []Point) float64 {
	d := 0.0
	add := func(x float64) { d += x * x }
	for i, p := range measured {
		add(math.Log(simulated[i].CommitsPerSecond/max(p.CommitsPerSecond, 1)) / sdRate)
		add((simulated[i].FirstTryPct - p.FirstTryPct) / sdShare)
	}
	from := begin.times()
	for i, t := range m.times() {
		add(math.Log(*t / *from[i]) / sdTime)
	}
	return d
}

// fit returns the model near begin that serves the measured loads best, how it serves
// them, and its distance from them. It changes one value at a time, by less and less.
func fit(ctx context.Context, begin Model, measured []Point) (best Model, served []Point, least float64, err error) {
	best, least = begin, math.Inf(1)
	try := func(m Model) (bool, error) {
		m.HeadStart = min(m.HeadStart, 1)
		simulated, err := m.Simulate(ctx, measured)
		if err != nil {
			return false, err
		}
		d := distance(m, begin, simulated, measured)
		if d < least {
			best, served, least = m, simulated, d
			return true, nil
		}
		return false, nil
	}
	if _, err := try(begin); err != nil {
		return begin, nil, 0, err
	}
	for _, step := range []float64{1.5, 1.3, 1.2, 1.2, 1.1, 1.05} {
		for i := range begin.times() {
			for _, factor := range []float64{step, 1 / step} {
				m := best
				*m.times()[i] *= factor
				better, err := try(m)
				if err != nil {
					return begin, nil, 0, err
				}
				if better {
					break
				}
			}
		}
	}
	return best, served, least, nil
}

// fitBoth returns the better one of two fits, and how it serves the loads: with a constant
// and with an exponential overhead. How often two callers change places depends on how
// much it varies.
func fitBoth(ctx context.Context, begin Model, measured []Point) (best Model, served []Point, err error) {
	least := math.Inf(1)
	for _, begin.Varies = range []bool{false, true} {
		m, points, d, err := fit(ctx, begin, measured)
		if err != nil {
			return begin, nil, err
		}
		if d < least {
			best, served, least = m, points, d
		}
	}
	return best, served, nil
}
