package measure

import (
	"fmt"
	"math/big"
	"unsafe"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// envelopePercents are the intervals v of the envelope in percent of w.
var envelopePercents = [...]int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

func envelopeMetrics() []catalog.Metric {
	all := []catalog.Metric{{Name: "envelope_max", Unit: "ratio", Full: true, Better: -1, Formula: "max over v of envelope_at_…",
		Doc: "The largest point of the envelope: above 1 the policy's total exceeded burst and rate over some interval."}}
	for _, pct := range envelopePercents {
		all = append(all, catalog.Metric{Name: envelopeName(pct), Unit: "ratio", Full: true, Better: -1,
			Formula: fmt.Sprintf("max over t of A(t-v,t]/(B+r*v), v = %d %% of w", pct),
			Doc:     fmt.Sprintf("Most that the policy, all keys together, let through in any %d %% of a window, against one bucket's burst and rate; t is any instant of the span at which something is let through, t-v may lie before the span.", pct)})
	}
	return all
}

func envelopeName(pct int64) string { return fmt.Sprintf("envelope_at_%dpct", pct) }

// instant is the cost let through at one time.
type instant struct{ time, cost int64 }

// envelopeMeter finds the most that was admitted in any interval of each
// length v, with one queue of instants and a trailing pointer for each v.
type envelopeMeter struct {
	cfg    *Config
	queue  ring[instant]
	points [len(envelopePercents)]envelopePoint
	seen   bool
	full   bool
	needed need
}

type envelopePoint struct {
	v    int64 // ns, rounded down
	tail int64 // first instant still inside
	sum  int64
	most int64
}

func newEnvelopeMeter(r *Recorder) Reporter {
	w := r.cfg.Window
	m := &envelopeMeter{cfg: &r.cfg, queue: ring[instant]{budget: r.cfg.Memory / 2}, needed: need{span: 10 * w}}
	for i, pct := range envelopePercents {
		m.points[i].v = w/100*pct + w%100*pct/100
	}
	return m
}

func (m *envelopeMeter) Early(f *Flow) { m.slide(f, false) }

func (m *envelopeMeter) Flow(f *Flow) {
	m.seen = true
	m.slide(f, true)
}

func (m *envelopeMeter) slide(f *Flow, measured bool) {
	q := &m.queue
	for i, cost := range f.Admitted {
		if cost == 0 {
			continue
		}
		t := f.Time[i]
		m.needed.add(t)
		if m.full {
			continue
		}
		if q.tail > q.head && q.at(q.tail-1).time == t {
			q.at(q.tail - 1).cost += cost
		} else {
			for j := range m.points {
				m.points[j].leave(q, t)
			}
			q.head = m.points[len(m.points)-1].tail // the longest v keeps the most
			if !q.push(instant{t, cost}) {
				m.full = true
				q.buf = nil
				continue
			}
		}
		for j := range m.points {
			p := &m.points[j]
			p.sum += cost
			if measured {
				p.most = max(p.most, p.sum)
			}
		}
	}
}

// leave drops what is no longer in (t-v, t].
func (p *envelopePoint) leave(q *ring[instant], t int64) {
	for ; p.tail < q.tail && q.at(p.tail).time <= t-p.v; p.tail++ {
		p.sum -= q.at(p.tail).cost
	}
}

func (m *envelopeMeter) Figures(emit Emit) {
	none := ""
	switch {
	case !m.seen:
		none = noTraffic
	case len(m.cfg.Changes) > 0:
		none = "the limit changes"
	case m.full:
		none = m.needed.reason(int64(unsafe.Sizeof(instant{})))
	}
	var largest Value
	for i, pct := range envelopePercents {
		value := NoData(none)
		if none == "" {
			value = m.points[i].value(m.cfg)
		}
		emit(envelopeName(pct), value)
		if i == 0 || value.NoData == "" && (largest.NoData != "" || value.X > largest.X) {
			largest = value
		}
	}
	emit("envelope_max", largest)
}

// value is most / (B + L*v/w).
func (p *envelopePoint) value(c *Config) Value {
	if fine := c.finer(p.v); fine != "" {
		return NoData(fine)
	}
	allowed := new(big.Int).Add(product(c.Burst, c.Window), product(c.Limit, p.v))
	if allowed.Sign() == 0 {
		return NoData("the window is too short to divide")
	}
	return Number(quotient(product(p.most, c.Window), allowed))
}
