package enforcements

import (
	"github.com/limitgauge/limitgauge/algorithms/batch"
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
)

// reported runs the batch-reported protocol: it owns the wire between the
// clients and the servers, and the instants at which clients report.
//
// A client's ticks are at its phase plus multiples of the interval. Those at
// which it has nothing to say are left out, so idle time costs nothing.
type reported struct {
	config  batch.Config
	clients []*batch.Client
	servers []*batch.Server
	phases  []int64 // of each client's ticks
	ticking []bool  // the client's next tick is scheduled
	coin    random.Stream
	wire    random.Stream // latencies
	fate    random.Stream // loss and duplication
	latency random.Latency
	load    *measure.Load

	events lanes.EventHeap
	seq    int64
	calls  []call
	free   []int32
	sent   []int32 // calls made by one tick
	due    []int32 // calls whose reports are due at this instant
	cycles []cycle
	spare  []int32
}

// call is one report on its way to a server, and the answer on its way back.
type call struct {
	report *batch.Report
	answer batch.Answer
	sent   int64
	back   int64 // ns the answer takes
	cycle  int32
}

// cycle is all the calls of one client's tick.
type cycle struct {
	sent int64
	open int32
}

// What happens at one instant, in this order.
const (
	sendTick uint32 = iota
	reportDue
	answerDue
)

// reportedEnforcement is the batch-reported protocol.
var reportedEnforcement = Enforcement{Check: checkReported, Random: reportedDraws, Delays: neverDelays, Servers: topologyServers, Lane: reportedLane}

func checkReported(s *Setting, a *scenarios.Algorithm) error {
	_, err := batch.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err == nil {
		_, err = s.Latency()
	}
	return err
}

func reportedDraws(s *Setting, a *scenarios.Algorithm) bool {
	config, err := batch.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err != nil {
		return false // checkReported says so
	}
	latency, err := s.Latency()
	return config.Draws() || err == nil && latency.Random()
}

func reportedLane(t *Trial) (lanes.Lane, error) {
	config, err := batch.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())
	if err != nil {
		return nil, err
	}
	latency, err := t.Latency()
	if err != nil {
		return nil, err
	}
	r := &reported{
		config: config, latency: latency, load: t.Recorder.Load(),
		ticking: make([]bool, t.Clients()),
		coin:    t.Stream("coin"), wire: t.Stream("network"), fate: t.Stream("reports"),
	}
	phase := t.Stream("phase")
	r.phases = r.config.Ticks(&phase)
	for i := range t.Clients() {
		r.clients = append(r.clients, batch.NewClient(&r.config, int32(i)))
	}
	for i := range t.Servers() {
		r.servers = append(r.servers, batch.NewServer(&r.config, int32(i), t.Origin))
	}
	return lanes.NewBlockLane(t.Books, r), nil
}

func (r *reported) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	cut := r.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // a tick that an earlier one of these made due
		}
		client := r.clients[id]
		verdicts[i-lo] = client.Decide(now, a.Key[i], a.Cost[i], &r.coin)
		if computedAt, ok := client.LatestAnswer(); ok {
			r.load.Staleness(now, now-computedAt)
		}
		if !r.ticking[id] {
			r.ticking[id] = true
			r.schedule(r.nextTick(id, now), sendTick, id)
			cut = r.Next()
		}
	}
	return hi - lo
}

// nextTick is the client's first tick after now; one at now itself has been.
func (r *reported) nextTick(id int32, now int64) int64 {
	phase := r.phases[id]
	if now < phase {
		return phase
	}
	return phase + ((now-phase)/r.config.Interval+1)*r.config.Interval
}

func (r *reported) schedule(t int64, kind uint32, ref int32) {
	r.seq++
	r.events.Push(lanes.Event{Time: t, Seq: r.seq, Kind: kind, Ref: ref})
}

func (r *reported) Next() int64 {
	if len(r.events) == 0 {
		return lanes.Never
	}
	return r.events[0].Time
}

// Step runs an instant: ticks send, all reports that are due are counted, then
// answered, and the answers that are due are applied.
func (r *reported) Step(now int64) {
	for r.isDue(now, sendTick) {
		r.send(now, r.events.Pop().Ref)
	}
	r.due = r.due[:0]
	for r.isDue(now, reportDue) {
		ref := r.events.Pop().Ref
		c := &r.calls[ref]
		r.servers[c.report.Server].Receive(now, c.report)
		r.load.Call(now, int(c.report.Server), int64(len(c.report.Rows)))
		r.due = append(r.due, ref)
	}
	for _, ref := range r.due {
		c := &r.calls[ref]
		r.servers[c.report.Server].Answer(now, c.report, &c.answer)
		r.schedule(now+c.back, answerDue, ref)
	}
	for r.isDue(now, answerDue) {
		r.receive(now, r.events.Pop().Ref)
	}
}

func (r *reported) isDue(now int64, kind uint32) bool {
	return len(r.events) > 0 && r.events[0].Time == now && r.events[0].Kind == kind
}

// send flushes a client: one call for each server that owns a key with counts.
func (r *reported) send(now int64, id int32) {
	r.ticking[id] = false
	number := take(&r.cycles, &r.spare)
	r.cycles[number] = cycle{sent: now}
	r.sent = r.sent[:0]
	r.clients[id].Flush(now, len(r.servers), r.blank)
	for _, ref := range r.sent {
		r.dispatch(now, id, ref, number)
	}
	if r.cycles[number].open == 0 {
		r.spare = append(r.spare, number)
	}
}

// blank is an empty report for a client to fill in.
func (r *reported) blank(int32) *batch.Report {
	ref := r.newCall()
	r.sent = append(r.sent, ref)
	return r.calls[ref].report
}

// newCall is a call to fill in. Its report stays where it is when the pool
// grows, because a client writes to several of them at a time.
func (r *reported) newCall() int32 {
	ref := take(&r.calls, &r.free)
	if c := &r.calls[ref]; c.report == nil {
		c.report = &batch.Report{}
	}
	return ref
}

// dispatch puts a report on the wire, which may lose or duplicate it.
func (r *reported) dispatch(now int64, id, ref, number int32) {
	if r.happens(r.config.ReportLoss.Num, r.config.ReportLoss.Den) {
		if r.config.Resend {
			r.clients[id].Resend(r.calls[ref].report)
			if !r.ticking[id] {
				r.ticking[id] = true
				r.schedule(r.nextTick(id, now), sendTick, id)
			}
		}
		r.free = append(r.free, ref)
		return
	}
	r.travel(now, ref, number)
	if r.happens(r.config.ReportDuplicate.Num, r.config.ReportDuplicate.Den) {
		twin := r.newCall()
		from, to := r.calls[ref].report, r.calls[twin].report
		rows := append(to.Rows[:0], from.Rows...)
		*to = *from
		to.Rows = rows
		r.travel(now, twin, number)
	}
}

func (r *reported) happens(num, den int64) bool {
	return num > 0 && r.fate.Chance(uint64(num), uint64(den))
}

// travel draws the call's latency, split evenly over both ways.
func (r *reported) travel(now int64, ref, number int32) {
	c := &r.calls[ref]
	latency := r.latency.Draw(&r.wire)
	c.sent, c.back, c.cycle = now, latency-latency/2, number
	r.cycles[number].open++
	r.schedule(now+latency/2, reportDue, ref)
}

func (r *reported) receive(now int64, ref int32) {
	c := &r.calls[ref]
	r.clients[c.report.Client].Apply(now, &c.answer)
	r.load.ReportLatency(now, now-c.sent)
	cy := &r.cycles[c.cycle]
	if cy.open--; cy.open == 0 {
		r.load.CycleLatency(now, now-cy.sent)
		r.spare = append(r.spare, c.cycle)
	}
	r.free = append(r.free, ref)
}

// Inspect knows until when the client rejects; what the fleet could still admit
// it does not.
func (r *reported) Inspect(key, client int32, now, _ int64) (level, retryAt int64) {
	return lanes.UnknownLevel, max(now, r.clients[client].RejectUntil(key))
}

// take is a free element of a pool, or a new one.
func take[T any](pool *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		ref := (*free)[n-1]
		*free = (*free)[:n-1]
		return ref
	}
	var zero T
	*pool = append(*pool, zero)
	return int32(len(*pool) - 1)
}
