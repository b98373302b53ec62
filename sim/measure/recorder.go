package measure

import (
	"iter"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Config states what a recorder needs to know about a trial. Times are in ns.
type Config struct {
	Policy              // of all keys
	Policies   []Policy // if requests carry descriptors, replaces Policy; otherwise nil
	Faults     []Span   // time spans of faults, by their start
	Start, End int64    // the measured span [Start, End)
	part       bool     // only what is measured by key, for one of several policies

	Keys, Tenants, Clients int
	TenantIsKey            bool // every tenant has the id of its key
	OneKey                 bool // there is one of Policies, and every request falls under one key of it
	Servers                int  // servers of the limiter; 0 if it has none
	JoiningServers         int  // the last of them, which join during the run: they count once they are called

	Full   bool  // measure the full metric set
	Memory int64 // bytes for state that grows with the number of requests

	ReferenceShapes bool    // the reference delays: what it rejects is in Flow.Refused
	Guarded         bool    // a backend stands behind the limiter
	Deadline        int64   // ns from the arrival to a good answer; 0 for none
	Refuses         bool    // the queue of the backend has a bound
	Recoveries      []int64 // ns, in the span: when the load of the backend changes, see Against; nil unless it has a deadline
	OnAnswers       bool    // callers retry admitted requests, too: their answers are late or errors
	Settles         bool    // costs become known with the answer
	StampResolution int64   // resolution of a log's time stamps in ns; 0 if times are exact
	NoBest          string  // why there is no best fixed limit on concurrency; empty if one is sought

	// Exact is an exact counter of the policy's kind for all keys, without any
	// requests yet, that the recorder may charge; nil unless Settles.
	Exact counting.Table

	Jobs *Jobs // of workers; nil without any

	Follow []int32 // if not nil, keys whose series is recorded, and nothing else

	// OnWindow, if not nil, receives every calendar window of a key when it is
	// closed. The windows of one key come in order; those of different keys
	// interleave. Windows that are partly outside the span, and windows without
	// rows that are not saturated, are not reported.
	OnWindow func(Window)
}

// Step is a time at which the offered rate jumps.
type Step struct {
	At     int64
	Target int64 // cost that an exact limiter admits per window from then on: the smaller of limit and demand
}

// Span is a time span From <= t < To of a fault, or the instant From if both
// are equal.
type Span struct{ From, To int64 }

// tooFineFor returns the reason why a figure at this time scale cannot be
// computed from the log's time stamps, or "".
func (c *Config) tooFineFor(scale int64) string {
	if scale < c.StampResolution {
		return "stamps resolve to " + ScaleName(c.StampResolution)
	}
	return ""
}

// Recorder measures one trial. It cuts the streams to the measured span and
// passes each block to each meter. Every stream must be in time order. A
// Recorder is not safe for concurrent use.
type Recorder struct {
	cfg       Config
	reporters []Reporter // one for each source, nil if it is not built
	flows     []Meter
	outcomes  []OutcomeMeter
	closers   []closer
	part      Flow         // a block cut to the span
	admitted  admittedRows // of part
	immediate Immediate
	policies  []*policyRecorder
	changers  []changer
	changed   int // changes that the meters have received

	tallies     *tallyMeter
	keys        *keyMeter
	windows     *windowMeter
	tenants     *fairnessMeter
	clients     *fairnessMeter
	latency     *latencyMeter
	load        *Load
	conflicts   *Conflicts
	guard       *GuardMeter
	answers     *answerMeter
	concurrency *concurrencyMeter
	queue       *queueMeter
	jobs        *JobMeter
	series      *seriesMeter
	followed    []*keySeriesMeter
	settlement  *Settlement
	differences *Differences
	overspend   *overspend
	sliding     slidingSums
}

// NewRecorder returns a recorder for one trial.
func NewRecorder(c Config) *Recorder {
	r := &Recorder{cfg: c, admitted: admittedRows{oneKey: c.Keys == 1}}
	for _, policy := range c.Policies {
		r.policies = append(r.policies, &policyRecorder{Recorder: NewRecorder(c.of(policy))})
	}
	if c.Follow != nil { // only the meters of followKeys receive the flow
		r.cfg.Keys, r.cfg.Tenants, r.cfg.Clients = 0, 0, 0
	}
	for i, s := range sources {
		var m Reporter
		switch {
		case s.full && !c.Full && !(s.workers && c.Jobs != nil), c.part && s.pool == nil, s.build == nil:
		case s.pool != nil && r.policies != nil:
			m = r.pooled(i)
		default:
			m = s.build(r)
		}
		r.reporters = append(r.reporters, m)
		r.join(m)
	}
	r.join(newSeriesMeter(r))
	r.followKeys()
	return r
}

// join registers a meter for the streams that it has methods for.
func (r *Recorder) join(m any) {
	joinTo(&r.flows, m)
	joinTo(&r.outcomes, m)
	joinTo(&r.changers, m)
	joinTo(&r.closers, m)
}

func joinTo[M any](list *[]M, m any) {
	if x, ok := m.(M); ok {
		*list = append(*list, x)
	}
}

// Measures reports whether t is in the measured span.
func (r *Recorder) Measures(t int64) bool { return r.cfg.measures(t) }

func (c *Config) measures(t int64) bool { return c.Start <= t && t < c.End }

// Flow measures a block of flow, including rows of the warm-up.
func (r *Recorder) Flow(f *Flow) {
	if r.policies != nil {
		r.split(f) // each policy has its own changes
		r.flow(f, 0, len(f.Time))
		return
	}
	lo, n := 0, len(f.Time)
	for r.changed < len(r.cfg.Changes) && n > 0 && f.Time[n-1] >= r.cfg.Changes[r.changed].At {
		at := searchTime(f.Time, r.cfg.Changes[r.changed].At)
		r.flow(f, lo, at)
		r.change()
		lo = at
	}
	r.flow(f, lo, n)
}

// change passes the next change of the limit to the meters.
func (r *Recorder) change() {
	for _, m := range r.changers {
		m.change(r.cfg.Changes[r.changed])
	}
	r.changed++
}

// flow measures rows [lo, hi) of a block. The limit does not change within
// them.
func (r *Recorder) flow(f *Flow, lo, hi int) {
	if lo == hi {
		return
	}
	if f.Time[lo] < r.cfg.Start || f.Time[hi-1] >= r.cfg.End {
		times := f.Time[lo:hi]
		from, to := lo+searchTime(times, r.cfg.Start), lo+searchTime(times, r.cfg.End)
		r.pass(f, lo, from, true)
		lo, hi = from, to
	}
	r.pass(f, lo, hi, false)
}

// pass passes rows [lo, hi) of a block to the meters, with their sums.
func (r *Recorder) pass(f *Flow, lo, hi int, early bool) {
	if lo >= hi {
		return
	}
	p := &r.part
	if *p = *f; hi-lo < len(f.Time) {
		*p = f.cut(lo, hi)
	}
	if !p.Summed {
		p.sum()
	}
	p.early, p.rows = early, &r.admitted
	r.admitted.picked = false
	for _, m := range r.flows {
		m.Flow(p)
	}
}

// Immediate measures a block of attempts that were decided on arrival.
func (r *Recorder) Immediate(b Immediate) {
	n := len(b.Time)
	if n == 0 {
		return
	}
	if b.Time[0] < r.cfg.Start || b.Time[n-1] >= r.cfg.End {
		lo, hi := searchTime(b.Time, r.cfg.Start), searchTime(b.Time, r.cfg.End)
		if lo >= hi {
			return
		}
		b.Time, b.Cost, b.Verdict = b.Time[lo:hi], b.Cost[lo:hi], b.Verdict[lo:hi]
		b.Settled = Settle(b.Cost, b.Verdict, make([]int64, hi-lo))
	}
	r.immediate = b
	for _, m := range r.outcomes {
		m.Immediate(&r.immediate)
	}
}

// Outcomes measures all other attempts, in the order of their ends.
func (r *Recorder) Outcomes(block []Outcome) {
	for len(block) > 0 {
		n := 0 // consecutive attempts of the span
		for n < len(block) && r.Measures(block[n].Arrival) {
			n++
		}
		if n == 0 {
			block = block[1:]
			continue
		}
		for _, m := range r.outcomes {
			m.Outcomes(block[:n])
		}
		block = block[n:]
	}
}

// Waiting sets the number of requests that wait in the limiter from now on. A
// limiter with a queue must call it once at its start.
func (r *Recorder) Waiting(now, n int64) {
	r.queue.level.set(now, n)
	r.answers.hold(now, atLimiter, n)
}

// Load returns the meter of requests to servers and store.
func (r *Recorder) Load() *Load { return r.load }

// Guard returns the meter of the guarded backend.
func (r *Recorder) Guard() *GuardMeter { return r.guard }

// Close ends the trial at end, or at the end of the span if that is earlier. It
// must be called once, before results are read.
func (r *Recorder) Close(end int64) {
	r.cfg.End = max(r.cfg.Start, min(r.cfg.End, end))
	for _, p := range r.policies {
		p.Close(end)
	}
	for _, m := range r.closers {
		m.close(r.cfg.End)
	}
}

// KeyTotals returns one key's cost over the measured span, without its name. Offered does
// not include what was waiting when the span began.
func (r *Recorder) KeyTotals(key int32) results.KeyTotals {
	if r.policies != nil {
		p := r.policyOf(key)
		return p.KeyTotals(key - p.cfg.From)
	}
	t := r.windows.totals(key)
	return results.KeyTotals{Offered: t.offered, Admitted: t.admitted, Rejected: t.rejected, Reference: r.keys.totals(key).reference}
}

// windowMeters returns the meters of the windows of all policies.
func (r *Recorder) windowMeters() []*windowMeter {
	if r.policies == nil {
		return []*windowMeter{r.windows}
	}
	var meters []*windowMeter
	for _, p := range r.policies {
		meters = append(meters, p.windows)
	}
	return meters
}

// Figure is the value of one metric.
type Figure struct {
	Name  string
	Value Value
}

// Figures returns the value of every metric of the trial's metric set, in the
// order of the registry.
func (r *Recorder) Figures() []Figure {
	var figures []Figure
	for i, s := range sources {
		if r.reporters[i] == nil {
			continue
		}
		for k, v := range valuesOf(s.metrics, r.reporters[i]) {
			if m := s.metrics[k]; !m.Full || r.cfg.Full {
				figures = append(figures, Figure{m.Name, v})
			}
		}
	}
	return figures
}

// valuesOf returns the values of a reporter's metrics.
func valuesOf(metrics []catalog.Metric, r Reporter) []Value {
	emitted := make(map[string]Value, len(metrics))
	none := r.Figures(func(name string, v Value) { emitted[name] = v })
	values := make([]Value, len(metrics))
	for i, m := range metrics {
		v, ok := emitted[m.Name]
		unstated := v.Pool != Pool{} && v.NoData == "" && v.Pool.Den == 0 && v.Pool.Of == nil
		if (!ok || unstated) && none == "" {
			panic("measure: a meter left out " + m.Name)
		}
		if !ok {
			v = NoData(none)
		} else if unstated {
			v.NoData = none
		}
		values[i] = v
	}
	return values
}

// searchTime returns the index of the first time that is not before t.
func searchTime(times []int64, t int64) int {
	i, _ := slices.BinarySearch(times, t)
	return i
}

// endBefore returns the end of the rows from lo on that are before t. Usually
// these are all of them.
func endBefore(times []int64, lo int, t int64) int {
	if n := len(times); times[n-1] < t {
		return n
	}
	return lo + searchTime(times[lo:], t)
}

// waits returns the rows [lo, hi) that change the waiting cost: the flow in
// column and the change.
func (f *Flow) waits(column []int32, lo, hi int) iter.Seq2[int32, int64] {
	return func(yield func(int32, int64) bool) {
		if f.Rejected == nil {
			return
		}
		ids, offered, admitted, rejected := column[lo:hi], f.Offered[lo:hi], f.Admitted[lo:hi], f.Rejected[lo:hi]
		for i, id := range ids {
			if net := offered[i] - admitted[i] - rejected[i]; net != 0 && !yield(id, net) {
				return
			}
		}
	}
}

// cut returns rows [lo, hi) of the block.
func (f *Flow) cut(lo, hi int) Flow {
	part := Flow{
		Time: f.Time[lo:hi], Key: f.Key[lo:hi], Tenant: f.Tenant[lo:hi], Client: f.Client[lo:hi],
		Offered: f.Offered[lo:hi], Admitted: f.Admitted[lo:hi], Reference: f.Reference[lo:hi],
	}
	if f.Rejected != nil {
		part.Rejected = f.Rejected[lo:hi]
	}
	if f.Refused != nil {
		part.Refused = f.Refused[lo:hi]
	}
	if f.First != nil {
		part.First, part.Keys = f.First[lo:hi+1], f.Keys
	}
	return part
}

// sum sets the sums of the costs.
func (f *Flow) sum() {
	n := len(f.Time)
	offered, admitted, reference := f.Offered[:n], f.Admitted[:n], f.Reference[:n]
	var s Sums
	for i := range offered {
		s.Offered += offered[i]
		s.Admitted += admitted[i]
		s.AdmittedAttempts += int64(uint64(-admitted[i]) >> 63) // 1 if the cost is above 0
		s.Reference += reference[i]
	}
	s.Rejected = s.Offered - s.Admitted
	if f.Rejected != nil {
		s.Rejected = 0
		for _, cost := range f.Rejected {
			s.Rejected += cost
		}
	}
	f.Sum, f.Summed = s, true
}
