package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var jobMetrics = []catalog.Metric{
	{Name: "jobs_finished", Unit: "jobs", Better: +1, Formula: "jobs whose answer has ended",
		Doc: "Exact number of jobs that workers took in the span and finished."},
	{Name: "jobs_given_up", Unit: "jobs", Better: -1, Formula: "jobs whose last retry was refused, or that no retry was allowed for",
		Doc: "Exact number of jobs that workers took in the span and gave up."},
	{Name: "jobs_left", Unit: "jobs", Better: -1, Formula: "jobs of the stock, or taken if the stock has no end, that are neither when the run ends",
		Doc: "Exact number of jobs that are left when the run ends."},
	{Name: "finish_s", Unit: "s", Better: -1, Formula: "time of the last end of a job, answered or given up",
		Doc: "Time from the start of the run to the end of the last job; there is none while jobs are left. Where jobs were given up, fewer were done."},
	{Name: "ideal_finish_s", Unit: "s", Formula: "bucket: max(0, C-B)/r; windows: w * floor((C-1)/L); plus the first from and the least answer",
		Doc: "Earliest time at which exact limits can have admitted the cost C of all jobs, if workers begin at the first from, plus the least time of an answer; of several keys or policies the latest."},
	{Name: "job_time_mean_s", Unit: "s", Better: -1, Formula: "mean of taking a job to the end of its answer, finished jobs",
		Doc: "Time that a worker spends on a job that it finishes, waits and retries included."},
	{Name: "job_time_p50_s", Unit: "s", Better: -1, Formula: "nearest rank of the same", Doc: "Half of the finished jobs took at most so long; within 0.4 %."},
	{Name: "job_time_p99_s", Unit: "s", Better: -1, Formula: "nearest rank of the same", Doc: "Of the finished jobs 99 % took at most so long; within 0.4 %."},
	{Name: "job_time_max_s", Unit: "s", Better: -1, Formula: "largest of the same", Doc: "Longest time that a finished job took."},
	{Name: "herd_max", Unit: "calls", Better: -1, Formula: "most retries that arrive in any (t - 100 ms, t]",
		Doc: "Largest number of retries within 100 ms: callers that come back together."},
	{Name: "idle_limit_pct", Unit: "%", Most: 100, Better: -1, Formula: "mean of 100 * max(0, 1 - A_j/L) over whole windows in which a job waits at every instant",
		Doc: "Share of the limit that goes unused while jobs wait for a retry, a pace or a permit."},
	workerTime("answer", "waiting for answers"),
	workerTime("think", "thinking between two jobs"),
	workerTime("pace", "waiting for their pace"),
	workerTime("in_flight", "waiting for a permit of their process"),
	workerTime("backoff", "waiting before a retry"),
	workerTime("limiter", "waiting for the limiter's decision"),
	{Name: "workers_stopped", Unit: "workers", Better: -1, Formula: "workers that ended because they gave a job up",
		Doc: "Exact number of workers that ended by give_up: stop."},
	{Name: "fairness_worker_jain", Unit: "ratio", Most: 1, Better: +1, Formula: "(sum x)^2 / (n * sum x^2), x_i the jobs that worker i finished",
		Doc: "Jain's index of the jobs that workers finish; 1 is equal."},
	{Name: "fairness_worker_min", Unit: "ratio", Better: +1, Formula: "least x_i over the mean", Doc: "Jobs of the worker that finishes fewest, over the mean."},
	{Name: "fairness_worker_max", Unit: "ratio", Better: -1, Formula: "largest x_i over the mean", Doc: "Jobs of the worker that finishes most, over the mean."},
}

func workerTime(state, doing string) catalog.Metric {
	return catalog.Metric{Name: "worker_time_" + state + "_pct", Unit: "%", Most: 100, Formula: "100 * time in this state / time of workers that have not ended, up to the last end of a job",
		Doc: "Share of their time that workers spend " + doing + "; the shares add up to 100."}
}

// WorkerState is what a worker does.
type WorkerState uint8

// States of a worker. A worker that has not begun or has ended is Away.
const (
	Away WorkerState = iota
	Answering
	Thinking
	Pacing
	Permitting // waits for one of the calls that its process may have in flight
	Retrying
	Deciding
	workerStates
)

// Jobs states what a recorder needs to know about the workers of a trial.
type Jobs struct {
	Workers   int
	Stock     int64  // number of jobs, without those of a stock that has no end
	Endless   bool   // there is such a stock
	Ideal     int64  // ns until the ideal finish
	NoIdeal   string // why there is none
	NoWindows string // why the windows of the limit cannot be judged
}

// herdSpan is the span in ns in which retries are a herd.
const herdSpan = 100_000_000

// JobMeter measures workers and their jobs. Times are in ns and must not go back.
type JobMeter struct {
	cfg  *Config
	jobs *Jobs

	counts   [workerStates]int64 // of workers, by what they do
	times    [workerStates]sum128
	since    int64 // up to which times holds the past
	atFinish [workerStates]sum128

	taken, finished, givenUp, stopped int64
	last                              int64 // the last end of a job
	perJob                            histogram
	perWorker                         []int64 // jobs finished
	herd                              herd
	idle                              idleWindows

	Finished, Retried binned // by the bins of the series
}

func newJobMeter(r *Recorder) Reporter {
	c := &r.cfg
	if c.Jobs == nil {
		return nil
	}
	m := &JobMeter{cfg: c, jobs: c.Jobs, since: c.Start, perWorker: make([]int64, c.Jobs.Workers)}
	m.idle = idleWindows{window: c.Window, limit: c.Limit, start: (c.Start + c.Window - 1) / c.Window * c.Window}
	m.Finished, m.Retried = newBinned(c), newBinned(c)
	r.jobs = m
	return m
}

// Jobs returns the meter of workers, nil if there are none.
func (r *Recorder) Jobs() *JobMeter { return r.jobs }

// Move notes that a worker turns from one state to another at now.
func (m *JobMeter) Move(now int64, from, to WorkerState) {
	m.advance(now)
	m.counts[from]--
	m.counts[to]++
	m.idle.waiting(now, m.counts[Pacing]+m.counts[Permitting]+m.counts[Retrying])
}

func (m *JobMeter) advance(now int64) {
	if now = min(now, m.cfg.End); now <= m.since {
		return
	}
	for s := Answering; s < workerStates; s++ {
		m.times[s].addProduct(m.counts[s], now-m.since)
	}
	m.since = now
}

// Took notes that a worker takes a job of a stock that has no end.
func (m *JobMeter) Took(now int64) {
	if m.cfg.measures(now) {
		m.taken++
	}
}

// End notes that a job which was taken at a time is answered or given up now.
func (m *JobMeter) End(now, taken int64, worker int32, answered bool) {
	if !m.cfg.measures(taken) {
		return
	}
	m.advance(now)
	m.last, m.atFinish = now, m.times
	if !answered {
		m.givenUp++
		return
	}
	m.finished++
	m.perWorker[worker]++
	m.perJob.record(now - taken)
	m.Finished.add(now, 1)
}

// Stopped notes that a worker ends because it gave a job up.
func (m *JobMeter) Stopped() { m.stopped++ }

// Retry notes that a retry arrives.
func (m *JobMeter) Retry(now int64) {
	if m.cfg.measures(now) {
		m.herd.add(now)
		m.Retried.add(now, 1)
	}
}

// Admit notes that cost is admitted, whoever sent the call.
func (m *JobMeter) Admit(now, cost int64) { m.idle.admit(now, cost) }

func (m *JobMeter) close(end int64) {
	m.advance(end)
	m.idle.turn(end)
}

// left returns the jobs that are neither answered nor given up.
func (m *JobMeter) left() int64 {
	return m.jobs.Stock + m.taken - m.finished - m.givenUp
}

func (m *JobMeter) Figures(emit Emit) string {
	left := m.left()
	emit.count("jobs_finished", m.finished)
	emit.count("jobs_given_up", m.givenUp)
	emit.count("jobs_left", left)
	emit.count("workers_stopped", m.stopped)
	emit.count("herd_max", m.herd.most)
	switch {
	case m.jobs.Endless:
		emit("finish_s", NoData("the stock of jobs has no end"))
	case left > 0:
		emit("finish_s", NoData("jobs are left"))
	default:
		emit("finish_s", Number(ratio(1, m.last, 1e9)))
	}
	if m.jobs.NoIdeal != "" {
		emit("ideal_finish_s", NoData(m.jobs.NoIdeal))
	} else {
		emit("ideal_finish_s", Number(ratio(1, m.jobs.Ideal, 1e9)))
	}
	d := m.perJob.distribution(1e9)
	for _, s := range guardStatistics {
		emit("job_time_"+s.name+"_s", statisticOf(&m.perJob, d, s.permille, 1e9, ""))
	}
	if m.jobs.NoWindows != "" {
		emit("idle_limit_pct", NoData(m.jobs.NoWindows))
	} else {
		m.idle.figure(emit)
	}
	m.timeFigures(left, emit)
	m.fairness(emit)
	return "no job was finished"
}

// timeFigures emits the shares of the time of workers, up to the last end of a job if all
// have ended.
func (m *JobMeter) timeFigures(left int64, emit Emit) {
	times := &m.times
	if !m.jobs.Endless && left == 0 {
		times = &m.atFinish
	}
	all := new(big.Int)
	for s := Answering; s < workerStates; s++ {
		all.Add(all, times[s].big())
	}
	for s, name := range map[WorkerState]string{Answering: "answer", Thinking: "think", Pacing: "pace", Permitting: "in_flight", Retrying: "backoff", Deciding: "limiter"} {
		if all.Sign() == 0 {
			emit("worker_time_"+name+"_pct", ratioOr("no worker was at work for any time", 100, 0, 0))
			continue
		}
		part := times[s].big()
		v := Number(quotient(new(big.Int).Mul(part, big.NewInt(100)), all))
		v.Pool = Pool{Kind: Ratio, Num: 100 * quotient(part, big.NewInt(1)), Den: quotient(all, big.NewInt(1))}
		emit("worker_time_"+name+"_pct", v)
	}
}

// fairness emits how evenly the finished jobs are divided among workers.
func (m *JobMeter) fairness(emit Emit) {
	n := int64(len(m.perWorker))
	if m.finished == 0 {
		return
	}
	least, most := m.perWorker[0], int64(0)
	var squares sum128
	for _, x := range m.perWorker {
		least, most = min(least, x), max(most, x)
		squares.addProduct(x, x)
	}
	emit("fairness_worker_jain", Number(quotient(product(m.finished, m.finished), new(big.Int).Mul(big.NewInt(n), squares.big()))))
	emit("fairness_worker_min", Number(ratio(n, least, m.finished)))
	emit("fairness_worker_max", Number(ratio(n, most, m.finished)))
}
