package measure

import (
	"cmp"
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var burstMetrics = []catalog.Metric{
	{Name: "burst_excess", Unit: "tokens", Better: -1, Formula: "token bucket: sup over s<=t in two consecutive calendar windows of [A(s,t] - r(t-s)] - max(B, largest cost); sliding log: sup over t of A(t-w,t] - L; fixed window: max over j of A_j - L; not below 0",
		Doc: "Largest cost that any key admitted in a short span beyond what the policy's kind of reference permits. Headline; the policy's own burst does not count. t is in the span, s may lie in the window before it. If the limit changes, r follows it, B is the burst at s, and L is the largest limit within the window."},
	{Name: "burst_excess_s", Unit: "s", Better: -1, Formula: "burst_excess / r", Doc: "The burst excess as the time in which the limit's rate replenishes it."},
	{Name: "accumulated_excess", Unit: "tokens", Better: -1, Formula: "sup over s<=t of [A(s,t] - r(t-s)] - max(B, largest cost), not below 0",
		Doc: "Largest cost that any key admitted beyond rate and burst, over intervals of any length. If the admitted rate is above the limit, it grows with the length of the run: then read long_run_error_pct. No data if the policy's reference is no token bucket."},
}

// noBucket is the reason if a metric of token buckets has no figure because the
// policy's reference is of another kind.
const noBucket = "the policy's reference is no token bucket"

// burstMeter measures the bursts of each key. keyMeter passes the rows on and
// stores the levels of the keys.
type burstMeter struct {
	cfg     *Config
	rate    rate
	changed []rate    // rates after the coming changes
	depth   int64     // requests
	short   burstPeak // of the intervals in two consecutive windows
	all     burstPeak // of all intervals
	seen    bool      // the span has rows

	halves halves
	part   int                 // of the last rows
	next   int64               // the first window after that part
	parts  [spanParts]*big.Int // short.excess of each

	r *Recorder // its other meters
}

// burstPeak is the largest level of a kind of intervals, and the excess over the
// bucket's depth that follows from it.
type burstPeak struct {
	level    int64    // since the last change
	excess   *big.Int // before the last change, in 1/p of a request
	longest  *big.Rat // ns in which the rate admits the excess
	overflow bool
}

func newBurstMeter(r *Recorder) Reporter {
	none := func() burstPeak { return burstPeak{excess: new(big.Int), longest: new(big.Rat)} }
	m := &burstMeter{
		cfg:   &r.cfg,
		depth: max(r.cfg.Burst, r.cfg.LargestCost),
		short: none(),
		all:   none(),
		parts: [spanParts]*big.Int{new(big.Int), new(big.Int), new(big.Int)},
		r:     r,
	}
	m.halves = r.cfg.halves()
	m.part, m.next = m.halves.of(r.cfg.Start / r.cfg.Window)
	r.keys.burst = m
	if r.cfg.Kind == SlidingLog && !r.cfg.Full {
		r.join(newSlidingMeter(r))
	}
	ok := false
	m.rate, m.changed, ok = r.cfg.rates()
	if !ok {
		m.fail()
	}
	return m
}

// fail states that no level fits in 64 bits.
func (m *burstMeter) fail() { m.short.overflow, m.all.overflow = true, true }

// raise takes in levels that may be the largest so far.
func (m *burstMeter) raise(l levels) {
	m.short.level, m.all.level = max(m.short.level, l.short), max(m.all.level, l.all)
	m.limit(l)
}

// limit records which levels do not fit.
func (m *burstMeter) limit(l levels) {
	m.short.overflow = m.short.overflow || l.short > maxUnits
	m.all.overflow = m.all.overflow || l.all > maxUnits
}

// change closes the intervals that began before c, which are measured against
// the burst of their beginning, and begins those measured against the new
// burst. It returns the growth of the bucket's depth in 1/p of a request; an exact
// bucket keeps its level up to the new depth. ok is false if the values do not
// fit.
func (m *burstMeter) change(c counting.Change) (deeper int64, ok bool) {
	m.settle()
	depth := max(c.Limit.Burst, m.cfg.LargestCost)
	more := product(depth-m.depth, m.rate.p)
	if !more.IsInt64() || more.CmpAbs(big.NewInt(maxUnits)) > 0 {
		m.fail()
	}
	if m.short.overflow {
		return 0, false
	}
	m.short.level, m.all.level, m.depth = 0, 0, depth
	m.rate, m.changed = m.changed[0], m.changed[1:]
	return more.Int64(), true
}

// enter begins the part of the span that a window is in.
func (m *burstMeter) enter(window int64) {
	m.settle()
	m.short.level = 0
	m.part, m.next = m.halves.of(window)
}

// settle stores the excess so far.
func (m *burstMeter) settle() {
	for _, p := range []*burstPeak{&m.short, &m.all} {
		excess := new(big.Int).Sub(big.NewInt(p.level), product(m.depth, m.rate.p))
		if excess.Cmp(p.excess) > 0 {
			p.excess = excess
		}
		if p == &m.short && excess.Cmp(m.parts[m.part]) > 0 {
			m.parts[m.part] = excess
		}
		if worth := new(big.Rat).SetFrac(excess, big.NewInt(m.rate.n)); worth.Cmp(p.longest) > 0 {
			p.longest = worth
		}
	}
}

// follow computes the levels of a trial with one key, which are l at time at, over a
// block in one calendar window, and returns those after it. It returns false and does nothing
// if the block might overflow.
//
// Each level depends on the one before, so the latency of one step decides the
// speed. The loop keeps the level on a scale that does not drain, as level +
// drained, which saves one operation in each step.
//
// The loop computes only the lowest level. Let S be the cost admitted in the
// block less what drained. Then a higher level is the larger of the lowest one
// and of S plus its own value before the block.
func (m *burstMeter) follow(at int64, l levels, window int64, f *Flow) (after levels, ok bool) {
	times := f.Time
	n, p := m.rate.n, m.rate.p
	admitted := f.Admitted[:len(times)]
	if at < 0 || times[len(times)-1]-at > m.rate.maxDrain/2 || f.Sum.Admitted > m.rate.maxCost/4 {
		return levels{}, false
	}
	l.turn(window - at/m.cfg.Window)
	if m.all.overflow {
		l.all = l.short
	}
	if m.short.overflow || l.all > maxUnits/4 {
		return levels{}, false
	}
	x, highest := l.fresh, int64(0)
	for i, t := range times {
		drained := (t - at) * n
		x = max(x, drained) + admitted[i]*p
		highest = max(highest, x-drained)
	}
	drained := (times[len(times)-1] - at) * n
	sum, rise := f.Sum.Admitted*p, highest-l.fresh // rise is the largest S
	if x > l.fresh+sum {                           // the level was 0 at some time, so it did not follow S
		rise = math.MinInt64
		for s, i := int64(0), 0; i < len(times); i++ {
			s += admitted[i] * p
			rise = max(rise, s-(times[i]-at)*n)
		}
	}
	m.raise(levels{all: max(highest, l.all+rise), short: max(highest, l.short+rise)})
	x, sum = x-drained, sum-drained
	return levels{max(x, l.all+sum), max(x, l.short+sum), x}, true
}

func (m *burstMeter) Figures(emit Emit) string {
	switch {
	case !m.seen:
		return noTraffic
	case m.cfg.Kind == TokenBucket:
		return m.bucketFigures(emit)
	}
	emit("accumulated_excess", NoData(noBucket))
	if none := m.cfg.tooFineFor(m.cfg.Window); none != "" {
		return none
	}
	if m.cfg.Kind == FixedWindow {
		m.sumFigures(m.r.windows.largest(0, spanParts), emit)
		return ""
	}
	sums, none := m.r.sliding.largest()
	if none == "" {
		m.sumFigures(sums, emit)
	}
	return none
}

func (m *burstMeter) bucketFigures(emit Emit) (none string) {
	m.settle()
	fill := product(m.depth, m.rate.p) // ns in which the bucket fills, times n
	stamps := ""
	if fill.Cmp(product(m.cfg.StampResolution, m.rate.n)) < 0 {
		stamps = "stamps resolve to " + ScaleName(m.cfg.StampResolution)
	}
	p := big.NewInt(m.rate.p)
	if none := cmp.Or(m.all.tooLarge(), stamps); none != "" {
		emit("accumulated_excess", NoData(none))
	} else {
		emit("accumulated_excess", Number(quotient(m.all.excess, p)))
	}
	if none := cmp.Or(m.short.tooLarge(), stamps, m.cfg.tooFineFor(m.cfg.Window)); none != "" {
		return none
	}
	emit("burst_excess", Number(quotient(m.short.excess, p)))
	emit("burst_excess_s", numberOf(new(big.Rat).Quo(m.short.longest, big.NewRat(1e9, 1))))
	return ""
}

// sumFigures emits the excess of the largest sum of a window under each limit.
func (m *burstMeter) sumFigures(sums map[int64]int64, emit Emit) {
	longest := new(big.Rat)
	for limit, sum := range sums {
		if worth := new(big.Rat).SetFrac(product(max(0, sum-limit), m.cfg.Window), product(limit, second)); worth.Cmp(longest) > 0 {
			longest = worth
		}
	}
	emit.count("burst_excess", beyond(sums))
	emit("burst_excess_s", numberOf(longest))
}

func (p *burstPeak) tooLarge() string {
	if p.overflow {
		return "the excess does not fit in 64 bits at this limit's resolution"
	}
	return ""
}
