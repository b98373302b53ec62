package measure

import (
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Parts of the measured span: its halves have the same number of whole calendar windows.
// An odd number leaves the window between them.
const (
	firstHalf = iota
	secondHalf
	between
	spanParts
)

// halves holds the windows at which the first half of the span begins and ends, and the
// second begins.
type halves struct{ first, end, second int64 }

func (c *Config) halves() halves {
	first, last := (c.Start+c.Window-1)/c.Window, c.End/c.Window
	half := max(0, last-first) / 2
	return halves{first, first + half, last - half}
}

// noHalves is the reason why a span has no halves.
const noHalves = "fewer than two whole windows"

// exist reports whether a half has a window.
func (h halves) exist() bool { return h.end > h.first }

// of returns the part that a window is in, and the first window after it.
func (h halves) of(window int64) (part int, next int64) {
	switch {
	case window < h.end:
		return firstHalf, h.end
	case window < h.second:
		return between, h.second
	}
	return secondHalf, math.MaxInt64
}

// spanPart is the part of the span that an instant is in. Instants come in order.
type spanPart struct {
	halves halves
	window int64 // ns
	part   int
	until  int64 // the end of the part
}

func newSpanPart(c *Config) spanPart {
	return spanPart{halves: c.halves(), window: c.Window, until: math.MinInt64}
}

// at goes on to t, and returns the end of its part.
func (p *spanPart) at(t int64) (until int64) {
	if t >= p.until {
		part, next := p.halves.of(t / p.window)
		p.part, p.until = part, math.MaxInt64
		if next < math.MaxInt64 {
			p.until = next * p.window
		}
	}
	return p.until
}

// Halves returns the headline figures of each half of the measured span, as if it was the
// span. A half has a burst only at an instant at which something happens.
func (r *Recorder) Halves() (list [2][]Figure) {
	for part := range list {
		all := map[string]Value{}
		windowHalf(r.windowMeters(), part, func(name string, v Value) { all[name] = v })
		all["burst_excess"] = r.burstHalf(part)
		for _, name := range catalog.Headline() {
			list[part] = append(list[part], Figure{name, all[name]})
		}
	}
	return list
}

// windowHalf emits the headline figures of windows of one half.
func windowHalf(policies []*windowMeter, part int, emit Emit) {
	var sum windowSums
	excess, count, none, whole := new(big.Rat), int64(0), "", false
	for _, m := range policies {
		sum.add(m.sums[part])
		whole = whole || m.halves.exist()
		if none == "" {
			none = m.cfg.tooFineFor(m.cfg.Window)
		}
		for _, s := range m.saturated {
			over := new(big.Int)
			for admitted, n := range s.parts[part].all {
				count += n
				over.Add(over, product(max(0, admitted-s.limit), n))
			}
			excess.Add(excess, new(big.Rat).SetFrac(over, big.NewInt(s.limit)))
		}
	}
	if !whole {
		none = noHalves
	}
	unsaturated, idle := "no saturated window", "the reference admitted nothing in a whole window"
	if none != "" {
		sum, count, unsaturated, idle = windowSums{}, 0, none, none
	}
	emit("over_limit_pct", meanOf(unsaturated, percent(excess), count))
	emit("over_admission_pct", ratioOr(idle, 100, sum.surplus, sum.reference))
	emit("under_admission_pct", ratioOr(idle, 100, sum.lacking, sum.reference))
}

// burstHalf returns the burst excess of one half, the largest over the policies.
func (r *Recorder) burstHalf(part int) Value {
	if r.policies == nil {
		return r.keys.burst.half(part)
	}
	var pooled Value
	for i, p := range r.policies {
		if v := p.keys.burst.half(part); i == 0 {
			pooled = v
		} else {
			pooled = larger(pooled, v)
		}
	}
	return pooled
}

// half returns the burst excess of one half. It has none if the whole span has none.
func (m *burstMeter) half(part int) Value {
	known := false
	none := m.Figures(func(name string, _ Value) { known = known || name == "burst_excess" })
	switch {
	case !known:
		return NoData(none)
	case !m.halves.exist():
		return NoData(noHalves)
	case m.cfg.Kind == TokenBucket:
		return Number(quotient(m.parts[part], big.NewInt(m.rate.p)))
	case m.cfg.Kind == FixedWindow:
		return Number(float64(beyond(m.r.windows.largest(part, part+1))))
	}
	return Number(float64(beyond(m.r.sliding.half(part))))
}

// beyond returns the largest excess of a sum over its limit.
func beyond(sums map[int64]int64) (excess int64) {
	for limit, sum := range sums {
		excess = max(excess, sum-limit)
	}
	return excess
}
