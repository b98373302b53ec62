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

// envelopeMeter finds the most that was admitted in any interval of each
// length v, with one queue of instants for all of them.
type envelopeMeter struct {
	cfg    *Config
	queue  ring[instant]
	latest int64 // instant; -1 before the first one
	total  int64
	points [len(envelopePercents)]intervalPeak
	seen   bool
	full   bool
	needed need
}

func newEnvelopeMeter(r *Recorder) Reporter {
	w := r.cfg.Window
	m := &envelopeMeter{cfg: &r.cfg, queue: ring[instant]{budget: r.cfg.Memory / 2}, latest: -1, needed: need{span: 10 * w}}
	for i, pct := range envelopePercents {
		m.points[i].v = w/100*pct + w%100*pct/100
	}
	return m
}

func (m *envelopeMeter) Admitted(a *Admitted, measured bool) {
	m.seen = m.seen || measured
	m.needed.add(a.Time)
	for times, costs := a.Time, a.Cost; len(times) > 0 && !m.full; {
		n := m.room(times)
		if n == 0 {
			m.full = true
			m.queue.buf = nil
			return
		}
		from := m.push(times[:n], costs[:n])
		for i := range m.points {
			if measured {
				m.points[i].look(&m.queue, from)
			}
		}
		times, costs = times[n:], costs[n:]
	}
}

// room is how many of the rows there is room for, once what no interval reaches
// any more is gone, if need be.
func (m *envelopeMeter) room(times []int64) int {
	q := &m.queue
	if q.tail-q.head+int64(len(times)) > int64(len(q.buf)) && q.tail > q.head {
		for i := range m.points {
			m.points[i].move(q, times[0], q.tail-1)
		}
		q.head = m.points[len(m.points)-1].tail // the longest v keeps the most
	}
	n := q.room(len(times))
	if n == 0 && times[0] == m.latest {
		return 1 // joins the last instant
	}
	return n
}

// push appends rows, one instant for each time, and returns the first instant
// that they are part of.
func (m *envelopeMeter) push(times, costs []int64) int64 {
	buf, mask := m.queue.buf, int64(len(m.queue.buf)-1)
	latest, total, last := m.latest, m.total, m.queue.tail-1
	from := last + 1
	if times[0] == latest {
		from = last
	}
	costs = costs[:len(times)]
	for i, t := range times {
		if t != latest {
			latest = t
			last++
		}
		total += costs[i]
		buf[last&mask] = instant{t, total}
	}
	m.latest, m.total, m.queue.tail = latest, total, last+1
	return from
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
			value = envelopeValue(&m.points[i], m.cfg)
		}
		emit(envelopeName(pct), value)
		if i == 0 || value.NoData == "" && (largest.NoData != "" || value.X > largest.X) {
			largest = value
		}
	}
	emit("envelope_max", largest)
}

// envelopeValue is most / (B + L*v/w).
func envelopeValue(p *intervalPeak, c *Config) Value {
	if fine := c.finer(p.v); fine != "" {
		return NoData(fine)
	}
	allowed := new(big.Int).Add(product(c.Burst, c.Window), product(c.Limit, p.v))
	if allowed.Sign() == 0 {
		return NoData("the window is too short to divide")
	}
	return Number(quotient(product(p.most, c.Window), allowed))
}
