package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var burstMetrics = []catalog.Metric{
	{Name: "burst_excess", Unit: "requests", Better: -1, Formula: "sup over s<=t of [A(s,t] - r(t-s)] - max(B, largest cost), not below 0",
		Doc: "Largest cost that any key admitted beyond rate and burst, over all intervals inside the span. Headline; the policy's own burst does not count. If the limit changes, r follows it and B is the burst at s."},
	{Name: "burst_excess_s", Unit: "s", Better: -1, Formula: "burst_excess / r", Doc: "The burst excess as the time in which the limit's rate replenishes it."},
}

// drain is a quantity in 1/p of a request that drains at the rate of the limit.
type drain struct{ level, at int64 }

// burstMeter computes Lindley's recursion x <- max(0, x - r*dt) + c over the
// admitted cost c of each key. Its maximum is the largest value of A(s,t] -
// r(t-s) with s and t inside the span; cost admitted during the warm-up does
// not count. The result is exact because x is counted in 1/p of a request.
// keyMeter passes the rows on and stores x as the level of each key.
type burstMeter struct {
	cfg      *Config
	rate     rate
	changed  []rate   // rates after the coming changes
	depth    int64    // requests
	peak     int64    // since the last change
	excess   *big.Int // before the last change, in 1/p of a request
	longest  *big.Rat // ns in which the rate admits the excess
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

// change closes the intervals that began before c, which are measured against
// the burst of their beginning, and begins those measured against the new
// burst. It returns the rate up to now and the growth of the bucket's depth in
// 1/p of a request; an exact bucket keeps its level up to the new depth. ok is
// false if the values do not fit.
func (m *burstMeter) change(c counter.Change) (before rate, deeper int64, ok bool) {
	m.settle()
	depth, before := max(c.Limit.Burst, m.cfg.LargestCost), m.rate
	more := product(depth-m.depth, before.p)
	if m.overflow = m.overflow || !more.IsInt64() || more.CmpAbs(big.NewInt(maxUnits)) > 0; m.overflow {
		return before, 0, false
	}
	m.peak, m.depth = 0, depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
	return before, more.Int64(), true
}

// settle stores the excess so far.
func (m *burstMeter) settle() {
	excess := new(big.Int).Sub(big.NewInt(m.peak), product(m.depth, m.rate.p))
	if excess.Cmp(m.excess) > 0 {
		m.excess = excess
	}
	if worth := new(big.Rat).SetFrac(excess, big.NewInt(m.rate.n)); worth.Cmp(m.longest) > 0 {
		m.longest = worth
	}
}

// follow computes the recursion over a block of a trial with one key and
// returns the level after it. It returns false and does nothing if the block
// might overflow.
//
// Each level depends on the one before, so the latency of one step decides the
// speed. The loop keeps the level on a scale that does not drain, as level +
// drained, which saves one operation in each step.
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

func (m *burstMeter) Figures(emit Emit) string {
	fill := product(m.depth, m.rate.p) // ns in which the bucket fills, times n
	switch {
	case !m.seen:
		return noTraffic
	case m.overflow:
		return "the excess does not fit in 64 bits at this limit's resolution"
	case fill.Cmp(product(m.cfg.StampResolution, m.rate.n)) < 0:
		return "stamps resolve to " + scaleName(m.cfg.StampResolution)
	}
	m.settle()
	emit("burst_excess", Number(quotient(m.excess, big.NewInt(m.rate.p))))
	emit("burst_excess_s", numberOf(new(big.Rat).Quo(m.longest, big.NewRat(1e9, 1))))
	return ""
}
