package sim_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// modelWorker is a worker of the naive model.
type modelWorker struct {
	at      int64 // of its next step
	step    string
	order   int // in which steps of one time and kind were planned
	took    int64
	tries   int64
	process int
	jobs    int64
	state   string
	since   int64
}

// workersModel plays workers before a token bucket or a fixed window, one step of one worker
// after the other, by looking at all workers each time. Times are ms.
type workersModel struct {
	workers, jobs, answer, think, start, end int64
	limit, window, burst                     int64 // of the policy; window in ms
	fixed                                    bool
	attempts, backoff, retryAfter            int64 // backoff in ms, or retry-after and a spread of 0
	doubles                                  bool
	pace, paceBurst                          int64 // a call every pace ms; 0 for none
	inFlight, processes                      int64
	stop                                     bool

	all                                         []modelWorker
	planned                                     int
	open, paceAt                                []int64 // by process: calls, and when the pace has paid
	waiting                                     [][]int // by process: workers without a permit
	missing                                     int64   // of the bucket, in 1/window of a token, at last
	last                                        int64
	inWindow, ofWindow                          int64
	left                                        int64
	offered, rejected, finished, given, stopped int64
	lastEnd                                     int64
	retries                                     []int64
	times                                       map[string]int64
	frozen                                      map[string]int64
}

func (m *workersModel) plan(i int, at int64, step string) {
	m.planned++
	m.all[i].at, m.all[i].step, m.all[i].order = at, step, m.planned
}

func (m *workersModel) turn(i int, now int64, state string) {
	w := &m.all[i]
	m.times[w.state] += now - w.since
	w.state, w.since = state, now
}

// take asks the limiter, and returns when it would admit a call if it refuses.
func (m *workersModel) take(now int64) (ok bool, retryAt int64) {
	if m.fixed {
		if now/m.window != m.ofWindow {
			m.inWindow, m.ofWindow = 0, now/m.window
		}
		if m.inWindow < m.limit {
			m.inWindow++
			return true, 0
		}
		return false, (now/m.window + 1) * m.window
	}
	m.missing, m.last = max(0, m.missing-(now-m.last)*m.limit), now
	if m.missing+m.window <= m.burst*m.window {
		m.missing += m.window
		return true, 0
	}
	over := m.missing + m.window - m.burst*m.window
	return false, -over // in 1/limit ms from now
}

func (m *workersModel) run() {
	m.all = make([]modelWorker, m.workers)
	m.open, m.paceAt, m.waiting = make([]int64, m.processes), make([]int64, m.processes), make([][]int, m.processes)
	for p := range m.paceAt {
		m.paceAt[p] = -m.paceBurst * m.pace
	}
	m.ofWindow, m.left, m.times = -1, m.jobs, map[string]int64{}
	for i := range m.all {
		m.all[i].process, m.all[i].state = i%int(m.processes), "away"
		m.plan(i, int64(i)*m.start/m.workers, "take")
	}
	for {
		next := -1
		for i := range m.all {
			w := &m.all[i]
			if w.step == "" || w.step == "permit" || w.at >= m.end {
				continue
			}
			if next < 0 {
				next = i
				continue
			}
			b := &m.all[next]
			before := w.at < b.at || w.at == b.at && (w.step == "answered" && b.step != "answered" || (w.step == "answered") == (b.step == "answered") && w.order < b.order)
			if before {
				next = i
			}
		}
		if next < 0 {
			break
		}
		m.do(next)
	}
	for i := range m.all {
		m.turn(i, m.end, m.all[i].state)
	}
	if m.left == 0 && m.finished+m.given == m.jobs {
		m.times = m.frozen
	}
}

// release gives the permit of a worker to the one that waits longest.
func (m *workersModel) release(i int, now int64) {
	p := m.all[i].process
	if len(m.waiting[p]) > 0 {
		m.plan(m.waiting[p][0], now, "send")
		m.waiting[p] = m.waiting[p][1:]
		return
	}
	m.open[p]--
}

func (m *workersModel) ended(now int64) {
	m.lastEnd = now
	m.frozen = map[string]int64{}
	for state, t := range m.times {
		m.frozen[state] = t
	}
	for i := range m.all {
		m.frozen[m.all[i].state] += now - m.all[i].since
	}
}

func (m *workersModel) do(i int) {
	w := &m.all[i]
	now, p := w.at, w.process
	switch w.step {
	case "take":
		if m.left == 0 {
			m.turn(i, now, "away")
			w.step = ""
			return
		}
		m.left--
		w.took, w.tries = now, 0
		fallthrough
	case "pace":
		if m.pace > 0 {
			m.paceAt[p] = max(m.paceAt[p], now-m.paceBurst*m.pace) + m.pace
			if m.paceAt[p] > now {
				m.turn(i, now, "pace")
				m.plan(i, m.paceAt[p], "ask")
				return
			}
		}
		fallthrough
	case "ask":
		if m.inFlight > 0 && m.open[p] == m.inFlight {
			m.turn(i, now, "in_flight")
			m.waiting[p] = append(m.waiting[p], i)
			w.step = "permit"
			return
		}
		m.open[p]++
		fallthrough
	case "send":
		m.offered++
		if w.tries > 0 {
			m.retries = append(m.retries, now)
		}
		ok, retryAt := m.take(now)
		if ok {
			m.turn(i, now, "answer")
			m.plan(i, now+m.answer, "answered")
			return
		}
		m.rejected++
		m.release(i, now)
		if w.tries < m.attempts {
			wait := m.backoff
			if m.doubles {
				wait = min(m.backoff<<min(w.tries, 20), 8*m.backoff)
			}
			if m.retryAfter > 0 && m.fixed {
				wait = retryAt - now
			}
			w.tries++
			m.turn(i, now, "backoff")
			m.plan(i, now+wait, "pace")
			return
		}
		m.given++
		m.turn(i, now, "think")
		m.ended(now)
		if m.stop {
			m.stopped++
			m.turn(i, now, "away")
			w.step = ""
			return
		}
		m.plan(i, now+m.think, "take")
	case "answered":
		m.release(i, now)
		m.finished++
		w.jobs++
		m.turn(i, now, "think")
		m.ended(now)
		m.plan(i, now+m.think, "take")
	}
}

// TestWorkersAgainstModel compares workers with the naive model.
func TestWorkersAgainstModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		draw := func(what string, least, most int64) int64 { return rapid.Int64Range(least, most).Draw(r, what) }
		m := &workersModel{
			workers: draw("workers", 1, 9), jobs: draw("jobs", 1, 60), answer: draw("answer", 0, 30), think: draw("think", 0, 20),
			limit: draw("limit", 1, 9), window: 100, burst: draw("burst", 1, 6), fixed: rapid.Bool().Draw(r, "fixed"),
			attempts: draw("attempts", 0, 4), backoff: draw("backoff", 1, 60), doubles: rapid.Bool().Draw(r, "doubles"),
			pace: draw("pace", 0, 25), paceBurst: draw("pace burst", 1, 3), inFlight: draw("in flight", 0, 4), stop: rapid.Bool().Draw(r, "stop"),
			end: 3000,
		}
		m.start = m.workers * draw("start", 0, 20)
		m.processes = draw("processes", 1, min(3, m.workers))
		reference, counter := "token-bucket", "token-bucket"
		if m.fixed {
			reference, counter = "fixed-window", "fixed-window"
			m.retryAfter = draw("retry-after", 0, 1)
		}
		backoff := fmt.Sprintf("{constant: %dms}", m.backoff)
		if m.doubles {
			backoff = fmt.Sprintf("{exponential: {base: %dms, max: %dms, jitter: none}}", m.backoff, 8*m.backoff)
		}
		if m.retryAfter > 0 {
			backoff = "retry-after"
		}
		callers := fmt.Sprintf("retry: {attempts: %d, backoff: %s}", m.attempts, backoff)
		if m.pace > 0 {
			callers += fmt.Sprintf(", pace: {limit: 1/%dms, burst: %d}", m.pace, m.paceBurst)
		}
		if m.inFlight > 0 {
			callers += fmt.Sprintf(", in_flight: %d", m.inFlight)
		}
		callers += fmt.Sprintf(", processes: %d", m.processes)
		if m.stop {
			callers += ", give_up: stop"
		}
		text := fmt.Sprintf(`
version: 1
duration: 3s
scenarios:
  - name: work
    policy: {limit: %d/100ms, burst: %d, reference: %s}
    traffic: [{pattern: workers, count: %d, jobs: %d, answer: %dms, think: %dms, start: %dms}]
    callers: {%s}
    algorithms: [%s]
`, m.limit, m.burst, reference, m.workers, m.jobs, m.answer, m.think, m.start, callers, counter)
		d := simtest.Run(t, text)
		m.run()
		herd := int64(0)
		for i := range m.retries {
			n := int64(0)
			for _, other := range m.retries[:i+1] {
				if other > m.retries[i]-100 {
					n++
				}
			}
			herd = max(herd, n)
		}
		all := int64(0)
		for state, x := range m.times {
			if state != "away" {
				all += x
			}
		}
		want := map[string]float64{
			"offered_requests": float64(m.offered), "rejected_requests": float64(m.rejected), "jobs_finished": float64(m.finished), "jobs_given_up": float64(m.given),
			"jobs_left": float64(m.jobs - m.finished - m.given), "workers_stopped": float64(m.stopped), "herd_max": float64(herd),
		}
		if m.finished+m.given == m.jobs {
			want["finish_s"] = float64(m.lastEnd) / 1000
		}
		if all > 0 {
			for _, state := range []string{"answer", "think", "pace", "in_flight", "backoff"} {
				want["worker_time_"+state+"_pct"] = 100 * float64(m.times[state]) / float64(all)
			}
		}
		for _, row := range d.Results {
			for metric, x := range want {
				got, s := math.NaN(), row.Summary(metric)
				if s.Mean != nil {
					got = *s.Mean
				}
				if !(math.Abs(got-x) <= 1e-9*math.Max(1, math.Abs(x))) {
					r.Fatalf("%s of %s is %v (%s), the model says %v\n%s", metric, row.Algorithm, got, s.Reason, x, text)
				}
			}
		}
	})
}
