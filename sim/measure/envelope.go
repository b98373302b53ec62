package measure

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// envelopePercents lists the lengths v of the envelope's intervals in percent
// of w.
var envelopePercents = [...]int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

func envelopeMetrics() []catalog.Metric {
	all := []catalog.Metric{{Name: "envelope_max", Unit: "ratio", Full: true, Better: -1, Formula: "max over v of envelope_at_…",
		Doc: "The largest point of the envelope. Above 1 the policy's total exceeded burst and rate over some interval."}}
	for _, pct := range envelopePercents {
		all = append(all, catalog.Metric{Name: envelopeName(pct), Unit: "ratio", Full: true, Better: -1,
			Formula: fmt.Sprintf("max over t of A(t-v,t]/(B+r*v), v = %d %% of w", pct),
			Doc:     fmt.Sprintf("Largest cost that the policy, all keys together, admitted in any %d %% of a window, over the burst and rate of one bucket; t is any time in the span at which cost is admitted, t-v may be before the span.", pct)})
	}
	return all
}

func envelopeName(pct int64) string { return fmt.Sprintf("envelope_at_%dpct", pct) }

// envelopeMeter finds the largest cost admitted in any interval of each length
// v. It has no figures if the limit changes.
type envelopeMeter struct {
	cfg       *Config
	intervals intervalQueue
	seen      bool
}

// Indexes of the memory needs of an envelopeMeter: for its longest interval and
// for one window.
const (
	needOfLongest = iota
	needOfWindow
)

// wholeWindow is the index of the envelope's point at w.
var wholeWindow = slices.Index(envelopePercents[:], 100)

func newEnvelopeMeter(r *Recorder) Reporter {
	w := r.cfg.Window
	m := &envelopeMeter{cfg: &r.cfg}
	q := &m.intervals
	q.queue, q.latest, q.needs = newRing[instant](r.cfg.Memory/2), -1, []memoryNeed{{span: 10 * w}, {span: w}}
	for _, pct := range envelopePercents {
		q.points = append(q.points, intervalPeak{v: w/100*pct + w%100*pct/100})
	}
	q.held = len(q.points)
	r.envelope = m
	return m
}

func (m *envelopeMeter) Flow(f *Flow) {
	m.seen = m.seen || !f.early
	if len(m.cfg.Changes) == 0 {
		m.intervals.take(f.Time, f.Admitted, !f.early)
	}
}

func (m *envelopeMeter) Figures(emit Emit) string {
	switch {
	case !m.seen:
		return noTraffic
	case len(m.cfg.Changes) > 0:
		return "the limit changes"
	case m.intervals.held < len(m.intervals.points):
		return m.intervals.reason(needOfLongest)
	}
	var largest Value
	for i, pct := range envelopePercents {
		value := envelopeValue(&m.intervals.points[i], m.cfg)
		emit(envelopeName(pct), value)
		if i == 0 || value.NoData == "" && (largest.NoData != "" || value.X > largest.X) {
			largest = value
		}
	}
	emit("envelope_max", largest)
	return ""
}

// envelopeValue returns most / (B + L*v/w).
func envelopeValue(p *intervalPeak, c *Config) Value {
	if stampReason := c.tooFineFor(p.v); stampReason != "" {
		return NoData(stampReason)
	}
	allowed := new(big.Int).Add(product(c.Burst, c.Window), product(c.Limit, p.v))
	if allowed.Sign() == 0 {
		return NoData("the window is too short to divide")
	}
	return Number(quotient(product(p.most, c.Window), allowed))
}
