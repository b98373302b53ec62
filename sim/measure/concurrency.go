package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var concurrencyMetrics = []catalog.Metric{
	{Name: "limit_mean", Unit: "requests", Formula: "integral of the limit over the span / T",
		Doc: "Limit on requests in flight, averaged over time; of several clients the mean of the clients'."},
	{Name: "limit_min", Unit: "requests", Formula: "least limit in the span",
		Doc: "Least limit on requests in flight; of several clients the mean of the clients'."},
	{Name: "limit_max", Unit: "requests", Formula: "largest limit in the span",
		Doc: "Largest limit on requests in flight; of several clients the mean of the clients'."},
	{Name: "probe_pct", Unit: "%", Better: -1, Most: 100, Formula: "100 * time in probes / T",
		Doc: "Share of the time in which a limiter keeps its limit low to measure the time of an answer without load; of several clients the mean of the clients'."},
	{Name: "probe_refused_pct", Unit: "%", Better: -1, Most: 100, Formula: "100 * requests refused in probes / offered_requests",
		Doc: "Requests refused while their client's limit was low in a probe, to measure the time of an answer without load."},
}

// concurrencyMeter measures limits on requests in flight, where the backend has a deadline
// or a bounded queue. It is nil elsewhere.
type concurrencyMeter struct {
	r       *Recorder
	limits  []limitOf   // by client; nil without a limit on concurrency
	probes  []occupancy // by client: 1 in a probe; nil without probes
	refused int64       // in probes
	begun   binned      // probes
	series  meanSeries  // the sum of all limits
}

// limitOf is the limit on concurrency of one client.
type limitOf struct {
	occupancy
	least int64 // of those that lasted in the span; 0 before the first
}

func newConcurrencyMeter(r *Recorder) Reporter {
	if r.cfg.Deadline == 0 && !r.cfg.Refuses {
		return nil
	}
	r.concurrency = &concurrencyMeter{r: r, series: newMeanSeries(&r.cfg), begun: newBinned(&r.cfg)}
	return r.concurrency
}

// Limit sets the largest number of requests that a client may have in flight from now on.
func (r *Recorder) Limit(now int64, client int32, limit int64) {
	m := r.concurrency
	if m == nil {
		return
	}
	for len(m.limits) <= int(client) {
		m.limits = append(m.limits, limitOf{occupancy: newOccupancy(&r.cfg)})
	}
	l := &m.limits[client]
	m.series.set(now, m.series.level+limit-l.level)
	l.ends(min(now, l.end))
	l.set(now, limit)
}

// Probe notes that a client keeps its limit low from now on to measure the time of an
// answer without load, or no longer does.
func (r *Recorder) Probe(now int64, client int32, probing bool) {
	m := r.concurrency
	if m == nil {
		return
	}
	for len(m.probes) <= int(client) {
		m.probes = append(m.probes, newOccupancy(&r.cfg))
	}
	level := int64(0)
	if probing {
		level = 1
	}
	if probing && r.Measures(now) {
		m.begun.add(now, 1)
	}
	m.probes[client].set(now, level)
}

// ProbeRefused counts a request that arrived at this time and was refused in a probe.
func (r *Recorder) ProbeRefused(arrived int64) {
	if m := r.concurrency; m != nil && r.Measures(arrived) {
		m.refused++
	}
}

// ends notes that the limit holds until now.
func (l *limitOf) ends(now int64) {
	if now > l.since && (l.least == 0 || l.level < l.least) {
		l.least = l.level
	}
}

func (m *concurrencyMeter) close(end int64) {
	for i := range m.limits {
		m.limits[i].ends(end)
		m.limits[i].close(end)
	}
	for i := range m.probes {
		m.probes[i].close(end)
	}
	m.series.close(end)
}

func (m *concurrencyMeter) Figures(emit Emit) string {
	n, span := int64(len(m.limits)), m.r.cfg.End-m.r.cfg.Start
	if n == 0 || span <= 0 {
		return "no limit on concurrency"
	}
	area, least, most := product(0), int64(0), int64(0)
	for i := range m.limits {
		l := &m.limits[i]
		area.Add(area, l.area.big())
		least, most = least+l.least, most+l.max
	}
	emit("limit_mean", Number(quotient(area, product(n, span))))
	emit("limit_min", Number(ratio(1, least, n)))
	emit("limit_max", Number(ratio(1, most, n)))
	if len(m.probes) == 0 {
		return "the limiter does not probe"
	}
	probed := product(0)
	for i := range m.probes {
		probed.Add(probed, m.probes[i].area.big())
	}
	emit("probe_pct", Number(quotient(probed.Mul(probed, product(100)), product(n, span))))
	emit.ratio("probe_refused_pct", 100, m.refused, m.r.tallies.offered().requests)
	return noTraffic
}
