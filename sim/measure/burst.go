package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var burstMetrics = []catalog.Metric{
	{Name: "burst_excess", Unit: "requests", Better: -1, Formula: "sup over s<=t of [A(s,t] - r(t-s)] - max(B, largest cost), not below 0",
		Doc: "The most that any key was let through beyond rate and burst, over all intervals inside the span. Headline; the policy's own burst does not count. Where the limit changes, the rate is that of each moment and B that at s."},
	{Name: "burst_excess_s", Unit: "s", Better: -1, Formula: "burst_excess / r", Doc: "The burst excess as the time in which the limit's rate would have earned it."},
}

// drain is a quantity in 1/p of a request that drains at the limit's rate.
type drain struct{ level, at int64 }

// burstMeter runs Lindley's recursion over admitted cost for each key,
// x <- max(0, x - r*dt) + c, whose maximum is the largest of A(s,t] - r(t-s).
// Both s and t lie in the span: what a warm-up let through is left behind.
// It is exact: x counts in 1/p of a request. The rows come by way of keyMeter,
// which keeps each key's x as its level.
type burstMeter struct {
	cfg      *Config
	rate     rate
	changed  []rate   // still to come
	depth    int64    // requests
	peak     int64    // since the last change
	excess   *big.Int // before it, in 1/p of a request
	longest  *big.Rat // ns that it was worth
	seen     bool
	overflow bool
}

func newBurstMeter(r *Recorder) Reporter {
	m := &burstMeter{
		cfg:     &r.cfg,
		depth:   max(r.cfg.Burst, r.cfg.LargestCost),
		excess:  new(big.Int),
		longest: new(big.Rat),
	}
	r.keys.burst = m
	ok := false
	m.rate, m.changed, ok = r.cfg.rates()
	m.overflow = !ok
	return m
}

// change measures every interval that began before against the burst of its
// beginning, and what begins from now on against the new one. It returns the
// rate that drained the levels up to now, and by how much the bucket becomes
// deeper, in 1/p of a request: what an exact bucket has left is cut to its new
// depth. ok is false where that does not fit.
func (m *burstMeter) change(c Change) (before rate, deeper int64, ok bool) {
	m.settle()
	depth, before := max(c.Burst, m.cfg.LargestCost), m.rate
	more := product(depth-m.depth, before.p)
	if m.overflow = m.overflow || !more.IsInt64() || more.CmpAbs(big.NewInt(maxUnits)) > 0; m.overflow {
		return before, 0, false
	}
	m.peak, m.depth = 0, depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
	return before, more.Int64(), true
}

// settle keeps the excess so far.
func (m *burstMeter) settle() {
	excess := new(big.Int).Sub(big.NewInt(m.peak), product(m.depth, m.rate.p))
	if excess.Cmp(m.excess) > 0 {
		m.excess = excess
	}
	if worth := new(big.Rat).SetFrac(excess, big.NewInt(m.rate.n)); worth.Cmp(m.longest) > 0 {
		m.longest = worth
	}
}

// follow runs the recursion over a block of the only key there is, and returns
// the level after it. It reports whether the block is one in which nothing can
// come near an overflow; if not, it has done nothing.
//
// Every level waits for the one before it, so what is on that way counts: the
// loop keeps the level on a scale that does not drain, as level + drained, and
// has one step less than the recursion as it is written.
func (m *burstMeter) follow(k *keyState, f *Flow) (level int64, ok bool) {
	times := f.Time
	n, p := m.rate.n, m.rate.p
	admitted := f.Admitted[:len(times)]
	if m.overflow || k.at < 0 || times[len(times)-1]-k.at > m.rate.maxDrain/2 ||
		f.Sum.Admitted > m.rate.maxCost/4 || k.level > maxUnits/4 {
		return 0, false
	}
	at, x, drained, peak := k.at, k.level, int64(0), m.peak
	for i, t := range times {
		drained = (t - at) * n
		x = max(x, drained) + admitted[i]*p
		peak = max(peak, x-drained)
	}
	m.peak = peak
	return x - drained, true
}

func (m *burstMeter) Figures(emit Emit) {
	fill := product(m.depth, m.rate.p) // n times the nanoseconds in which the bucket fills
	switch {
	case !m.seen:
		emit.none(noTraffic, burstMetrics)
		return
	case m.overflow:
		emit.none("the excess does not fit in 64 bits at this limit's resolution", burstMetrics)
		return
	case fill.Cmp(product(m.cfg.StampResolution, m.rate.n)) < 0:
		emit.none("stamps resolve to "+scaleName(m.cfg.StampResolution), burstMetrics)
		return
	}
	m.settle()
	worth, _ := new(big.Rat).Quo(m.longest, big.NewRat(1e9, 1)).Float64()
	emit("burst_excess", Number(quotient(m.excess, big.NewInt(m.rate.p))))
	emit("burst_excess_s", Number(worth))
}
