package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var answerStatistics = []statistic{{"p50", 500}, {"p99", 990}}

func answerMetrics() []catalog.Metric {
	all := []catalog.Metric{
		{Name: "goodput_per_s", Unit: "1/s", Better: 1, Formula: "good_answers / T",
			Doc: "Requests that arrived in the span and were answered within the deadline of the guarded backend, per second of the span."},
		{Name: "good_answers", Unit: "requests", Better: 1, Formula: "requests of the span answered within deadline of their arrival",
			Doc: "Requests answered within the deadline. These, late_answers, failed_answers and rejected_requests add up to offered_requests."},
		{Name: "late_answers", Unit: "requests", Better: -1, Formula: "requests of the span that are neither good, failed nor rejected",
			Doc: "Requests answered after the deadline, or without an answer until the deadline after the end of the run."},
		{Name: "failed_answers", Unit: "requests", Better: -1, Formula: "requests of the span that found no place in the backend's queue",
			Doc: "Requests that the backend answered with an error because its queue was full."},
	}
	for _, f := range answerStatistics {
		all = append(all, catalog.Metric{Name: "answer_" + f.name + "_ms", Unit: "ms", Better: -1,
			Formula: f.name + " of arrival to answer, of good and late answers",
			Doc:     "Time from arrival to answer: waiting at the limiter, the queue of the backend and the service. Nearest rank within 0.4 %; requests without an answer are left out."})
	}
	for _, f := range []struct{ name, formula, doc string }{
		{"mean", "integral of the limit over the span / T", "Limit on requests in flight, averaged over time"},
		{"min", "least limit in the span", "Least limit on requests in flight"},
		{"max", "largest limit in the span", "Largest limit on requests in flight"},
	} {
		all = append(all, catalog.Metric{Name: "limit_" + f.name, Unit: "requests", Formula: f.formula, Doc: f.doc + "; of several clients the mean of the clients'."})
	}
	return all
}

// answerMeter measures what becomes of the requests that arrive in the span, where the
// backend has a deadline or a bounded queue. It is nil elsewhere.
type answerMeter struct {
	r            *Recorder
	good, failed int64
	time         histogram
	tenths       [2]occupancy // requests in the backend and waiting, in the fifth tenth of the span and the last
	held         [2]int64     // requests in the backend, and waiting at the limiter
	limits       []limitOf    // by client; nil without a limit on concurrency
}

func newAnswerMeter(r *Recorder) Reporter {
	c := &r.cfg
	if c.Deadline == 0 && !c.Refuses {
		return nil
	}
	m := &answerMeter{r: r}
	if r.answers = m; c.Deadline > 0 {
		span := c.End - c.Start
		for i, k := range []int64{4, 9} {
			from := c.Start + span/10*k
			m.tenths[i] = occupancy{start: from, since: from, end: from + span/10}
		}
	}
	return m
}

func (m *answerMeter) answer(arrived, now int64) {
	if !m.r.Measures(arrived) {
		return
	}
	m.time.record(now - arrived)
	if now-arrived <= m.r.cfg.Deadline {
		m.good++
	}
}

func (m *answerMeter) fail(arrived int64) {
	if m.r.Measures(arrived) {
		m.failed++
	}
}

// backend sets the number of requests in the backend from now on.
func (m *answerMeter) backend(now, n int64) { m.hold(now, 0, n) }

// limiter sets the number of requests that wait in the limiter from now on.
func (m *answerMeter) limiter(now, n int64) {
	m.hold(now, 1, n)
}

func (m *answerMeter) hold(now int64, where int, n int64) {
	if m == nil || m.r.cfg.Deadline == 0 {
		return
	}
	m.held[where] = n
	for i := range m.tenths {
		m.tenths[i].set(now, m.held[0]+m.held[1])
	}
}

// limitOf is the limit on concurrency of one client.
type limitOf struct {
	occupancy
	least int64 // of those that lasted in the span; 0 before the first
}

// Limit sets the largest number of requests that a client may have in flight from now on.
func (r *Recorder) Limit(now int64, client int32, limit int64) {
	m := r.answers
	if m == nil {
		return
	}
	for len(m.limits) <= int(client) {
		m.limits = append(m.limits, limitOf{occupancy: newOccupancy(&r.cfg)})
	}
	l := &m.limits[client]
	l.ends(min(now, l.end))
	l.set(now, limit)
}

// ends notes that the limit holds until now.
func (l *limitOf) ends(now int64) {
	if now > l.since && (l.least == 0 || l.level < l.least) {
		l.least = l.level
	}
}

// limitFigures emits the limit on concurrency.
func (m *answerMeter) limitFigures(emit Emit) {
	n, span := int64(len(m.limits)), m.r.cfg.End-m.r.cfg.Start
	if n == 0 || span <= 0 {
		for _, name := range []string{"limit_mean", "limit_min", "limit_max"} {
			emit(name, NoData("no limit on concurrency"))
		}
		return
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
}

func (m *answerMeter) close(end int64) {
	for i := range m.limits {
		m.limits[i].ends(end)
		m.limits[i].close(end)
	}
	for i := range m.tenths {
		m.tenths[i].close(m.tenths[i].end)
	}
}

func (m *answerMeter) Figures(emit Emit) string {
	emit.count("failed_answers", m.failed)
	m.limitFigures(emit)
	if m.r.cfg.Deadline == 0 {
		return "the backend has no deadline"
	}
	a := m.r.Answers()
	emit.rate("goodput_per_s", 1_000_000_000, a.Good, m.r.cfg.End-m.r.cfg.Start)
	emit.count("good_answers", a.Good)
	emit.count("late_answers", a.Late)
	emit.latencies("answer", &m.time, answerStatistics, m.r.cfg.StampResolution, "nothing was answered")
	return noTraffic
}

// Answers is what became of the requests that arrived in the span. The counts add up to
// Requests.
type Answers struct {
	Requests, Good, Late, Failed, Refused int64
	Held                                  [2]float64 // mean number in the backend and waiting, in the fifth tenth of the span and the last
}

// Answers returns the answers of a closed trial whose backend has a deadline.
func (r *Recorder) Answers() Answers {
	m, t := r.answers, r.tallies
	a := Answers{Requests: t.offered().requests, Good: m.good, Failed: m.failed, Refused: t.decided(false).requests}
	a.Late = a.Requests - a.Good - a.Failed - a.Refused
	for i := range m.tenths {
		if o := &m.tenths[i]; o.end > o.start {
			a.Held[i] = quotient(o.area.big(), product(o.end-o.start))
		}
	}
	return a
}
