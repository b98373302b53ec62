package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var loadMetrics = []catalog.Metric{
	{Name: "server_calls_per_s", Unit: "1/s", Better: -1, Formula: "calls / T", Doc: "Calls to the limiter's servers per second of the span, all servers together."},
	{Name: "server_calls_peak_1s", Unit: "calls", Better: -1, Formula: "max calls in a calendar second", Doc: "Largest number of calls to all servers together in one calendar second."},
	{Name: "server_calls_peak_10ms", Unit: "calls", Better: -1, Formula: "max calls in calendar 10 ms", Doc: "Largest number of calls to all servers together in one calendar interval of 10 ms."},
	{Name: "server_entries_per_s", Unit: "1/s", Better: -1, Formula: "entries in calls / T", Doc: "Keys in reports and requests per second, all calls together."},
	{Name: "calls_per_decision", Unit: "ratio", Better: -1, Formula: "calls / offered_requests", Doc: "Calls to the limiter's servers per attempt."},
	{Name: "server_load_max_over_mean", Unit: "ratio", Better: -1, Formula: "max over servers of calls / mean over servers", Doc: "Calls to the busiest server over the mean of all servers; 1 is even."},
	{Name: "server_calls_max_peak_1s", Unit: "calls", Better: -1, Formula: "max over servers of calls to it in a calendar second", Doc: "Largest number of calls to one server in one calendar second."},
	{Name: "staleness_mean_ms", Unit: "ms", Better: -1, Formula: "mean age of the information a decision used", Doc: "Mean age of the response that a decision was based on."},
	{Name: "staleness_p99_ms", Unit: "ms", Better: -1, Formula: "99th percentile of that age", Doc: "99th percentile of the age of the response that a decision was based on."},
	{Name: "report_latency_mean_ms", Unit: "ms", Better: -1, Formula: "mean of report sent to response applied", Doc: "Mean time from sending a report to applying its response; not on the request path."},
	{Name: "report_latency_p99_ms", Unit: "ms", Better: -1, Formula: "99th percentile of report sent to response applied", Doc: "99th percentile of the time from sending a report to applying its response."},
	{Name: "report_latency_max_ms", Unit: "ms", Better: -1, Formula: "max of report sent to response applied", Doc: "Longest time from sending a report to applying its response."},
	{Name: "count_lag_mean_ms", Unit: "ms", Better: -1, Formula: "mean over counted reports of oldest request to counted", Doc: "Mean time from the oldest request that a client's report can be about, the first since its previous report, until a server or the store has counted the report; also over reports that were sent again."},
	{Name: "count_lag_p99_ms", Unit: "ms", Better: -1, Formula: "99th percentile of that time", Doc: "99th percentile of the time from the oldest request of a report until the report is counted."},
	{Name: "count_lag_max_ms", Unit: "ms", Better: -1, Formula: "max of that time", Doc: "Longest time from a request until a server or the store has counted the report of it: an upper bound for every request that is counted at all."},
	{Name: "cycle_latency_mean_ms", Unit: "ms", Better: -1, Formula: "mean over cycles of the slowest report", Doc: "Mean time until all responses of one reporting cycle have arrived."},
	{Name: "cycle_latency_p99_ms", Unit: "ms", Better: -1, Formula: "99th percentile over cycles of the slowest report", Doc: "99th percentile of the time until all responses of one reporting cycle have arrived."},
	{Name: "store_ops_per_s", Unit: "1/s", Better: -1, Formula: "operations / T", Doc: "Operations that the store behind the servers served per second of the span."},
	{Name: "store_commands_per_s", Unit: "1/s", Better: -1, Formula: "commands / T", Doc: "Commands that the operations of the store consist of, per second of the span: a pipeline or a script of INCRBY and EXPIRE is one operation with two commands for each of its keys. remote and batch-reported state the commands per key; elsewhere every operation is one command or statement."},
	{Name: "store_wait_mean_ms", Unit: "ms", Better: -1, Formula: "mean of operation arrived at the store to start of its service", Doc: "Mean time that an operation waits in the store's queue."},
	{Name: "store_wait_p99_ms", Unit: "ms", Better: -1, Formula: "99th percentile of that wait", Doc: "99th percentile of the time an operation waits in the store's queue."},
	{Name: "fanout_mean", Unit: "calls", Better: -1, Formula: "mean of the calls of one request or one reporting cycle", Doc: "Mean number of calls into which a request, or one client's reporting cycle, is split."},
	{Name: "fanout_p99", Unit: "calls", Better: -1, Formula: "99th percentile of those calls", Doc: "99th percentile of the number of calls into which a request or a reporting cycle is split."},
	{Name: "fanout_max", Unit: "calls", Better: -1, Formula: "max of those calls", Doc: "Largest number of calls into which one request or one reporting cycle is split."},
}

// Load measures the requests that limiters send to servers and a store. What
// happens outside the measured span does not count. The times of successive
// calls of Call must not go back.
type Load struct {
	*loads
	servers []serverLoad
}

// loads holds what all servers have in common.
type loads struct {
	r         *Recorder
	calls     int64
	entries   int64
	second    peak
	centi     peak
	series    binned // calls; empty without servers
	staleness histogram
	report    histogram
	lag       histogram
	cycle     histogram
	storeOps  int64
	commands  int64 // of these operations
	storeWait histogram
	fanout    histogram // in calls
}

// peak finds the largest count in a calendar interval, in constant memory.
type peak struct {
	width      int64
	end        int64 // of the present interval
	count, max int64
}

func (p *peak) add(now, n int64) {
	if now >= p.end {
		p.end, p.count = (now/p.width+1)*p.width, 0
	}
	p.count += n
	p.max = max(p.max, p.count)
}

func newLoad(r *Recorder) Reporter {
	r.load = &Load{
		loads:   &loads{r: r, second: peak{width: 1e9}, centi: peak{width: 1e7}},
		servers: make([]serverLoad, r.cfg.Servers),
	}
	if r.cfg.Servers > 0 {
		r.load.series = newBinned(&r.cfg)
	}
	return r.load
}

// From returns the same meter for a part of the limiter whose server 0 is this
// one.
func (l *Load) From(server int) *Load { return &Load{l.loads, l.servers[server:]} }

// Call counts a call with this number of entries that arrives at a server.
func (l *Load) Call(now int64, server int, entries int64) {
	if !l.r.Measures(now) {
		return
	}
	l.calls++
	l.entries += entries
	l.second.add(now, 1)
	l.servers[server].add(l.second.end, entries)
	l.centi.add(now, 1)
	l.series.add(now, 1)
}

// ReportLatency counts a report whose response was applied at now, ns after it
// was sent.
func (l *Load) ReportLatency(now, ns int64) { l.count(&l.report, now, ns) }

// CountLag counts a report that is counted at now, ns after the oldest request that it
// can be about.
func (l *Load) CountLag(now, ns int64) { l.count(&l.lag, now, ns) }

// CycleLatency counts a reporting cycle whose last response was applied at now,
// ns after it began.
func (l *Load) CycleLatency(now, ns int64) { l.count(&l.cycle, now, ns) }

// Staleness counts a decision at now that used information of this age in ns.
func (l *Load) Staleness(now, age int64) { l.count(&l.staleness, now, age) }

// StalenessOf counts decisions at these times, which must not go back, that
// used information of these ages.
func (l *Load) StalenessOf(times, ages []int64) {
	lo, hi := searchTime(times, l.r.cfg.Start), searchTime(times, l.r.cfg.End)
	l.staleness.recordAll(ages[lo:max(lo, hi)])
}

// StoreOp counts an operation of this number of commands whose service in the store
// begins at now.
func (l *Load) StoreOp(now, commands int64) {
	if l.r.Measures(now) {
		l.storeOps++
		l.commands += commands
	}
}

// StoreCommands counts further commands of an operation whose service begins at now.
func (l *Load) StoreCommands(now, commands int64) {
	if l.r.Measures(now) {
		l.commands += commands
	}
}

// StoreWait counts an operation whose service begins at now, ns after it
// arrived at the store.
func (l *Load) StoreWait(now, ns int64) { l.count(&l.storeWait, now, ns) }

// Fanout counts a request or a reporting cycle that was split into this number
// of calls at now.
func (l *Load) Fanout(now int64, calls int) { l.count(&l.fanout, now, int64(calls)) }

func (l *Load) count(h *histogram, now, ns int64) {
	if l.r.Measures(now) {
		h.record(ns)
	}
}

func (l *Load) Figures(emit Emit) string {
	c := &l.r.cfg
	if c.Servers == 0 {
		return "decides in place"
	}
	perSecond := func(name string, n int64) {
		if c.End == c.Start {
			emit(name, NoData("the span is empty"))
			return
		}
		emit(name, Number(quotient(product(n, 1e9), product(c.End-c.Start))))
	}
	mostCalls, highestPeak := l.busiest()
	perSecond("server_calls_per_s", l.calls)
	perSecond("server_entries_per_s", l.entries)
	for _, p := range []struct {
		name       string
		width, max int64
	}{{"server_calls_peak_1s", 1e9, l.second.max}, {"server_calls_max_peak_1s", 1e9, highestPeak}, {"server_calls_peak_10ms", 1e7, l.centi.max}} {
		if reason := c.tooFineFor(p.width); reason != "" {
			emit(p.name, NoData(reason))
			continue
		}
		emit.count(p.name, p.max)
	}
	emit("calls_per_decision", ratioOr("no attempts", 1, l.calls, l.r.tallies.offered().requests))
	emit("server_load_max_over_mean", ratioOr("no calls", l.counted(), mostCalls, l.calls))
	meanAndTail := []statistic{{"mean", 0}, {"p99", 990}}
	withMax := append(meanAndTail[:2:2], statistic{"max", 1000})
	emit.latencies("staleness", &l.staleness, meanAndTail, 0, "no decision used reported information")
	emit.latencies("report_latency", &l.report, withMax, 0, "no reports answered")
	emit.latencies("count_lag", &l.lag, withMax, 0, "no reports counted")
	emit.latencies("cycle_latency", &l.cycle, meanAndTail, 0, "no reporting cycles")
	emit.latencies("store_wait", &l.storeWait, meanAndTail, 0, "no store was asked")
	if l.storeOps == 0 {
		emit("store_ops_per_s", NoData("no store was asked"))
		emit("store_commands_per_s", NoData("no store was asked"))
	} else {
		perSecond("store_ops_per_s", l.storeOps)
		perSecond("store_commands_per_s", l.commands)
	}
	fanout := l.fanout.distribution(1)
	for _, s := range withMax {
		emit("fanout_"+s.name, statisticOf(&l.fanout, fanout, s.permille, 1, ""))
	}
	return "nothing was split into calls"
}
