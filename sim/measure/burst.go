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

// unseen is when a key without rows was looked at last. The span begins at 0 or
// later.
const unseen = int64(-1)

// burstMeter runs Lindley's recursion over admitted cost for each key,
// x <- max(0, x - r*dt) + c, whose maximum is the largest of A(s,t] - r(t-s).
// Both s and t lie in the span: what a warm-up let through is left behind.
// It is exact: x counts in 1/p of a request.
type burstMeter struct {
	cfg      *Config
	rate     rate
	changed  []rate // still to come
	depth    int64  // requests
	keys     []drain
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
		keys:    make([]drain, r.cfg.Keys),
		excess:  new(big.Int),
		longest: new(big.Rat),
	}
	for i := range m.keys {
		m.keys[i].at = unseen
	}
	ok := false
	m.rate, m.changed, ok = r.cfg.rates()
	m.overflow = !ok
	return m
}

// change measures every interval that began before against the burst of its
// beginning, and what begins from now on against the new one: what an exact
// bucket has left is cut to its new depth. The bucket of a key that nobody has
// asked for is still to come.
func (m *burstMeter) change(c Change) {
	m.settle()
	depth := max(c.Burst, m.cfg.LargestCost)
	more := product(depth-m.depth, m.rate.p)
	if m.overflow = m.overflow || !more.IsInt64() || more.CmpAbs(big.NewInt(maxUnits)) > 0; m.overflow {
		return
	}
	m.peak = 0
	for i := range m.keys {
		k := &m.keys[i]
		if k.at == unseen {
			continue
		}
		left := max(0, k.level-min(max(c.At-k.at, 0), m.rate.maxDrain)*m.rate.n)
		if left > maxUnits {
			m.overflow = true
			return
		}
		*k = drain{max(0, left+more.Int64()), max(c.At, k.at)}
	}
	m.depth = depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
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

func (m *burstMeter) Flow(f *Flow) {
	m.seen = true
	if m.overflow {
		return
	}
	times := f.Time
	keys, admitted := f.Key[:len(times)], f.Admitted[:len(times)]
	r, maxCost, maxDrain := m.rate, m.rate.maxCost, m.rate.maxDrain
	peak := m.peak
	if len(m.keys) == 1 {
		x, at := m.keys[0].level, m.keys[0].at
		for i, t := range times {
			dt := min(t-at, maxDrain)
			at = t
			x = max(0, x-dt*r.n)
			c := admitted[i]
			if c > maxCost || x > maxUnits {
				m.overflow = true
				return
			}
			x += c * r.p
			peak = max(peak, x)
		}
		m.keys[0] = drain{x, at}
		m.peak = peak
		return
	}
	for i, t := range times {
		k := &m.keys[keys[i]]
		dt := min(t-k.at, maxDrain)
		x := max(0, k.level-dt*r.n)
		c := admitted[i]
		if c > maxCost || x > maxUnits {
			m.overflow = true
			return
		}
		x += c * r.p
		*k = drain{x, t}
		peak = max(peak, x)
	}
	m.peak = peak
}

func (m *burstMeter) Figures(emit Emit) {
	both := func(reason string) {
		emit("burst_excess", NoData(reason))
		emit("burst_excess_s", NoData(reason))
	}
	fill := product(m.depth, m.rate.p) // n times the nanoseconds in which the bucket fills
	switch {
	case !m.seen:
		both("no traffic")
		return
	case m.overflow:
		both("the excess does not fit in 64 bits at this limit's resolution")
		return
	case fill.Cmp(product(m.cfg.StampResolution, m.rate.n)) < 0:
		both("stamps resolve to " + scaleName(m.cfg.StampResolution))
		return
	}
	m.settle()
	worth, _ := new(big.Rat).Quo(m.longest, big.NewRat(1e9, 1)).Float64()
	emit("burst_excess", Number(quotient(m.excess, big.NewInt(m.rate.p))))
	emit("burst_excess_s", Number(worth))
}
