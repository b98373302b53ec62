package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var burstMetrics = []catalog.Metric{
	{Name: "burst_excess", Unit: "requests", Better: -1, Formula: "sup over s<=t of [A(s,t] - r(t-s)] - max(B, largest cost), not below 0",
		Doc: "The most that any key was let through beyond rate and burst, over all intervals inside the span. Headline; the policy's own burst does not count."},
	{Name: "burst_excess_s", Unit: "s", Better: -1, Formula: "burst_excess / r", Doc: "The burst excess as the time in which the limit's rate would have earned it."},
}

// drain is a quantity in 1/p of a request that drains at the limit's rate.
type drain struct{ level, at int64 }

// burstMeter runs Lindley's recursion over admitted cost for each key,
// x <- max(0, x - r*dt) + c, whose maximum is the largest of A(s,t] - r(t-s).
// Both s and t lie in the span: what a warm-up let through is left behind.
// It is exact: x counts in 1/p of a request.
type burstMeter struct {
	cfg      *Config
	rate     rate
	keys     []drain
	peak     int64
	seen     bool
	overflow bool
}

func newBurstMeter(r *Recorder) Reporter {
	return &burstMeter{
		cfg:  &r.cfg,
		rate: rateOf(r.cfg.Limit, r.cfg.Window),
		keys: make([]drain, r.cfg.Keys),
	}
}

func (m *burstMeter) Flow(f *Flow) {
	m.seen = true
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
	depth := max(m.cfg.Burst, m.cfg.LargestCost)
	fill := product(depth, m.rate.p) // n times the nanoseconds in which the bucket fills
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
	excess := int64(0)
	if fill.IsInt64() {
		excess = max(0, m.peak-fill.Int64())
	}
	emit("burst_excess", Number(ratio(1, excess, m.rate.p)))
	emit("burst_excess_s", Number(quotient(product(excess), product(m.rate.n, 1e9))))
}
