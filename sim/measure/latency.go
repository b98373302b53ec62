package measure

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// statistic is a statistic of a distribution.
type statistic struct {
	name     string
	permille int64 // of a quantile; 0 is the mean
}

// latencyStatistics lists the statistics of a latency. Their names are the
// middle part of the names of metrics.
var latencyStatistics = []statistic{{"mean", 0}, {"p50", 500}, {"p90", 900}, {"p99", 990}, {"p999", 999}, {"max", 1000}}

func latencyMetrics() []catalog.Metric {
	var all []catalog.Metric
	for _, l := range []struct{ name, what string }{
		{"decision_latency", "arrival to decision, which is the dispatch for a request that waits"},
		{"wait", "arrival to dispatch of admitted requests, without time on the network"},
	} {
		for _, f := range latencyStatistics {
			all = append(all, catalog.Metric{Name: l.name + "_" + f.name + "_ms", Unit: "ms", Better: -1,
				Formula: f.name + " of " + l.what,
				Doc:     "Time from " + l.what + "; mean and max are exact, quantiles are nearest rank within 0.4 %."})
		}
	}
	return all
}

// latencyMeter measures how long callers wait for a decision, and how long
// admitted requests wait inside the limiter.
type latencyMeter struct {
	cfg            *Config
	decision, wait histogram
}

func newLatencyMeter(r *Recorder) Reporter {
	r.latency = &latencyMeter{cfg: &r.cfg}
	return r.latency
}

func (m *latencyMeter) Immediate(b *Immediate) {
	m.decision.recordZeros(int64(len(b.Verdict)))
	m.wait.recordZeros(b.AdmittedAttempts)
}

func (m *latencyMeter) Outcomes(block []Outcome) {
	for i := range block {
		o := &block[i]
		if o.Waiting {
			continue
		}
		m.decision.record(max(o.Decided, o.Dispatched) - o.Arrival)
		switch { // the verdict is hard to predict, so it is tested last
		case o.Waited <= 0:
			m.wait.recordZeros(int64(o.Verdict & 1))
		case o.Verdict.Admitted():
			m.wait.record(o.Waited)
		}
	}
}

func (m *latencyMeter) Figures(emit Emit) string {
	emit.latencies("decision_latency", &m.decision, latencyStatistics, m.cfg.StampResolution, "no decisions")
	emit.latencies("wait", &m.wait, latencyStatistics, m.cfg.StampResolution, "nothing admitted")
	return ""
}

// latencies emits statistics of a latency in ms, or the reason if it has no
// samples.
func (emit Emit) latencies(name string, h *histogram, of []statistic, resolution int64, none string) {
	d := h.distribution(1e6)
	for _, s := range of {
		v := statisticOf(h, d, s.permille, 1e6, none)
		// A value below the resolution of the recorded time stamps is none, if requests waited.
		if v.NoData == "" && h.n > h.zeros && v.X < ratio(1, resolution, 1e6) {
			v = NoData("stamps resolve to " + ScaleName(resolution))
		}
		emit(name+"_"+s.name+"_ms", v)
	}
}

// statisticOf returns a statistic of a histogram in units of scale ns, or the reason if
// it is empty. d is its distribution.
func statisticOf(h *histogram, d *Distribution, permille, scale int64, none string) Value {
	switch {
	case permille == 0 && h.n == 0:
		return ratioOr(none, 1, 0, 0)
	case permille == 0:
		n := float64(h.n)
		return Value{X: h.meanOver(scale), Pool: Pool{Kind: Ratio, Num: quotient(h.sum.big(), product(scale)), Den: n}}
	case permille == 1000:
		return quantileOf(none, ratio(1, h.max, scale), d, permille)
	}
	return quantileOf(none, ratio(1, h.quantile(permille), scale), d, permille)
}

// Histograms returns the latency distributions that have samples. They name no row.
func (r *Recorder) Histograms() (list []results.Histogram) {
	for _, l := range []struct {
		name string
		h    *histogram
	}{
		{"decision_latency", &r.latency.decision},
		{"wait", &r.latency.wait},
		{"staleness", &r.load.staleness},
		{"report_latency", &r.load.report},
		{"cycle_latency", &r.load.cycle},
		{"store_wait", &r.load.storeWait},
		{"guard_latency", &r.guard.latency},
	} {
		if l.h.n > 0 {
			list = append(list, results.Histogram{Name: l.name, Unit: "ns", Buckets: l.h.buckets()})
		}
	}
	return list
}
