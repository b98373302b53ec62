package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

func guardMetrics() []catalog.Metric {
	all := []catalog.Metric{
		{Name: "guard_inflight_mean", Unit: "requests", Full: true, Better: -1, Formula: "integral of requests in the backend over the span / T",
			Doc: "Number of requests in the guarded backend, averaged over time."},
		{Name: "guard_inflight_max", Unit: "requests", Full: true, Better: -1, Formula: "max requests in the backend at once",
			Doc: "Largest number of requests in the guarded backend at once."},
	}
	for _, f := range guardStatistics {
		all = append(all, catalog.Metric{Name: "guard_latency_" + f.name + "_ms", Unit: "ms", Full: true, Better: -1,
			Formula: f.name + " of dispatch to completion in the backend",
			Doc:     "Time that a request spends in the guarded backend, including its queue; quantiles are nearest rank within 0.4 %."})
	}
	return all
}

var guardStatistics = []statistic{{"mean", 0}, {"p50", 500}, {"p99", 990}, {"max", 1000}}

// GuardMeter measures the load of the backend that the limiter protects.
type GuardMeter struct {
	r       *Recorder
	level   occupancy
	latency histogram
}

func newGuardMeter(r *Recorder) Reporter {
	r.guard = &GuardMeter{r: r, level: newOccupancy(&r.cfg)}
	return r.guard
}

// Inflight sets the number of requests in the backend from now on.
func (g *GuardMeter) Inflight(now, n int64) {
	g.level.set(now, n)
	g.r.answers.hold(now, atBackend, n)
	g.r.series.setInflight(now, n)
}

// Latency counts a request that completed at now, ns after its dispatch.
func (g *GuardMeter) Latency(now, ns int64) {
	if g.r.Measures(now) {
		g.latency.record(ns)
	}
}

// Failed counts a request that arrived at the limiter at this time, and that the backend
// answered with an error.
func (g *GuardMeter) Failed(arrived int64) { g.r.answers.fail(arrived) }

// Answer counts the answer at now to a request that arrived at the limiter at this time.
func (g *GuardMeter) Answer(arrived, now int64) { g.r.answers.answer(arrived, now) }

func (g *GuardMeter) close(end int64) { g.level.close(end) }

func (g *GuardMeter) Figures(emit Emit) string {
	if !g.r.cfg.Guarded {
		return "no backend"
	}
	emit.latencies("guard_latency", &g.latency, guardStatistics, g.r.cfg.StampResolution, "nothing completed")
	return g.level.figures("guard_inflight", emit)
}
