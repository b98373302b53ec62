package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// maxSeconds is the length of the longest span, in seconds, in which good answers are
// counted for each second: 4 MiB for each row.
const maxSeconds = 1 << 20

var answerStatistics = []statistic{{"p50", 500}, {"p99", 990}}

func answerMetrics() []catalog.Metric {
	all := []catalog.Metric{
		{Name: "goodput_per_s", Answers: true, Unit: "1/s", Better: 1, Formula: "good_answers / T",
			Doc: "Requests that arrived in the span and were answered within the deadline of the guarded backend, per second of the span."},
		{Name: "good_answers", Answers: true, Unit: "requests", Better: 1, Formula: "requests of the span answered within deadline of their arrival",
			Doc: "Requests answered within the deadline. These, late_answers, failed_answers and rejected_requests add up to offered_requests."},
		{Name: "late_answers", Answers: true, Unit: "requests", Better: -1, Formula: "requests of the span that are neither good, failed nor rejected",
			Doc: "Requests answered after the deadline, or without an answer until the deadline after the end of the run."},
		{Name: "failed_answers", Unit: "requests", Better: -1, Formula: "requests of the span that found no place in the backend's queue",
			Doc: "Requests that the backend answered with an error because its queue was full."},
	}
	for _, f := range answerStatistics {
		all = append(all, catalog.Metric{Name: "answer_" + f.name + "_ms", Answers: true, Unit: "ms", Better: -1,
			Formula: f.name + " of arrival to answer, of good and late answers",
			Doc:     "Time from arrival to answer: waiting at the limiter, the queue of the backend and the service. Nearest rank within 0.4 %; requests without an answer are left out."})
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
	seconds      []int32      // good answers, by the second of the arrival since the start of the span; nil unless wanted
}

func newAnswerMeter(r *Recorder) Reporter {
	c := &r.cfg
	if c.Deadline == 0 && !c.Refuses {
		return nil
	}
	m := &answerMeter{r: r}
	if r.answers = m; c.Deadline > 0 {
		span := c.End - c.Start
		if n := span/second + 1; len(c.Recoveries) > 0 && n <= maxSeconds {
			m.seconds = make([]int32, n)
		}
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
		if m.seconds != nil {
			m.seconds[(arrived-m.r.cfg.Start)/second]++
		}
	}
}

func (m *answerMeter) fail(arrived int64) {
	if m.r.Measures(arrived) {
		m.failed++
	}
}

// Places that hold requests.
const (
	atBackend = iota
	atLimiter
)

// hold sets the number of requests in a place from now on.
func (m *answerMeter) hold(now int64, where int, n int64) {
	if m == nil || m.r.cfg.Deadline == 0 {
		return
	}
	m.held[where] = n
	for i := range m.tenths {
		m.tenths[i].set(now, m.held[atBackend]+m.held[atLimiter])
	}
}

func (m *answerMeter) close(int64) {
	for i := range m.tenths {
		m.tenths[i].close(m.tenths[i].end)
	}
}

func (m *answerMeter) Figures(emit Emit) string {
	emit.count("failed_answers", m.failed)
	if m.r.cfg.Deadline == 0 {
		return "the backend has no deadline"
	}
	if none := m.r.cfg.tooFineFor(m.r.cfg.Deadline); none != "" {
		return none
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
	Seconds                               []int32    // good, by the second of the arrival since the start of the span; nil unless the recorder was asked for recoveries
}

// Answers returns the answers of a closed trial whose backend has a deadline.
func (r *Recorder) Answers() Answers {
	m, t := r.answers, r.tallies
	a := Answers{Requests: t.offered().requests, Good: m.good, Failed: m.failed, Refused: t.decided(false).requests, Seconds: m.seconds}
	a.Late = a.Requests - a.Good - a.Failed - a.Refused
	for i := range m.tenths {
		if o := &m.tenths[i]; o.end > o.start {
			a.Held[i] = quotient(o.area.big(), product(o.end-o.start))
		}
	}
	return a
}
