package measure

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// row is one row of the flow stream.
type row struct {
	time                                   int64
	key, tenant, client                    int32
	offered, admitted, rejected, reference int64
}

// levelAt is the number of waiting requests from an instant on.
type levelAt struct{ time, n int64 }

// world holds all input that a trial passes to its recorder.
type world struct {
	cfg       Config
	rows      []row
	immediate []Outcome // verdict at arrival, to be sent as blocks
	outcomes  []Outcome
	waiting   []levelAt
	reserved  []reservation

	secondHalfOf *Config // if the span is the second half of that of a trial
}

// reservation is what a limiter reserves for a request of this cost from an instant
// to another.
type reservation struct{ from, to, held, cost int64 }

const tick = int64(1e8) // instants are multiples of this, so that they collide

// drawWorld draws a small trial. It has few instants, so that rows share them,
// and windows with about as many requests as the limit.
func drawWorld(t *rapid.T) *world {
	n := func(lo, hi int, name string) int64 { return int64(rapid.IntRange(lo, hi).Draw(t, name)) }
	large := rapid.SampledFrom([]int64{1, 1, 1 << 13, 1 << 18, 1 << 21}).Draw(t, "unit of cost") // beyond what is counted in a few bits
	w := &world{}
	c := &w.cfg
	c.Window = tick * rapid.SampledFrom([]int64{3, 5, 10, 20}).Draw(t, "window")
	c.Limit = large * n(1, 6, "limit")
	c.Burst = large * n(0, 6, "burst")
	c.Kind = rapid.SampledFrom([]Kind{TokenBucket, SlidingLog, FixedWindow}).Draw(t, "kind")
	c.Start = c.Window*n(0, 3, "warmup") + tick*n(0, 2, "rest of the warm-up")
	c.End = c.Start + c.Window*n(1, 12, "span") + tick*n(0, 2, "rest")
	c.Keys, c.Tenants, c.Clients = int(n(1, 3, "keys")), int(n(1, 4, "tenants")), int(n(1, 3, "clients"))
	if rapid.IntRange(0, 3).Draw(t, "many keys") == 0 {
		c.Keys = 22 // of which many have no request, and few are refused
	}
	c.Full = true
	c.Memory = 1 << 20
	c.ReferenceShapes = rapid.Bool().Draw(t, "shapes")
	c.TenantIsKey = rapid.Bool().Draw(t, "tenant is key")
	if c.TenantIsKey {
		c.Tenants = c.Keys
	}
	for at, k := int64(0), n(0, 2, "steps"); k > 0; k-- {
		at += tick * n(1, 30, "step at")
		c.Steps = append(c.Steps, Step{At: at, Target: large * n(0, 4, "target")})
	}
	for at, k := int64(0), n(-2, 3, "changes"); k > 0; k-- {
		at += tick * n(1, 40, "change at")
		c.Changes = append(c.Changes, counting.Change{At: at, Limit: counting.Limit{Count: large * n(1, 12, "new limit"), Burst: large * n(0, 12, "new burst")}})
	}
	for at, k := int64(0), n(-1, 3, "faults"); k > 0; k-- {
		at += tick * n(0, 40, "fault at")
		c.Faults = append(c.Faults, Span{From: at, To: at + tick*n(0, 30, "fault for")})
	}
	last := c.End/tick + 5
	if c.Settles = rapid.Bool().Draw(t, "settles"); c.Settles {
		for range n(0, 8, "reservations") {
			from := tick * n(0, int(last), "reserved")
			w.reserved = append(w.reserved, reservation{from, from + tick*n(0, 30, "until"), large * n(0, 5, "held"), large * n(0, 5, "actual")})
		}
	}
	refuses := rapid.SampledFrom([]int{1, 1, 20}).Draw(t, "one in so many and one is refused")
	change := map[int64]int64{} // of the number waiting
	for i, count := int64(0), n(0, 40, "attempts"); i < count; i++ {
		o := Outcome{
			Attempt: i, Arrival: tick * n(0, int(last), "arrival"),
			Key: int32(n(0, c.Keys-1, "key")), Tenant: int32(n(0, c.Tenants-1, "tenant")),
			Client: int32(n(0, c.Clients-1, "client")), Cost: large * n(0, 3, "cost"),
			Verdict: counting.MakeVerdict(n(0, refuses, "admitted") > 0, counting.ByLimiter),
		}
		if c.TenantIsKey {
			o.Tenant = o.Key
		}
		if !o.Verdict.Admitted() && rapid.Bool().Draw(t, "cause") {
			o.Verdict = counting.MakeVerdict(false, counting.ByMaxWait)
		} else if o.Verdict.Admitted() && rapid.Bool().Draw(t, "blind") {
			o.Verdict = counting.MakeVerdict(true, counting.ByFailOpen)
		}
		c.LargestCost = max(c.LargestCost, o.Cost)
		delay := tick * n(-20, 40, "delay")
		o.Decided = o.Arrival + max(0, delay)
		o.Dispatched = o.Decided
		o.Waited = min(o.Decided-o.Arrival, tick*n(0, 40, "waited"))
		o.TimedOut = delay >= 0 && rapid.Bool().Draw(t, "timed out")
		if delay >= 0 {
			o.Try = int32(n(0, 2, "try"))
		}
		blank := row{key: o.Key, tenant: o.Tenant, client: o.Client}
		arrival := blank
		arrival.time, arrival.offered = o.Arrival, o.Cost
		reference := blank
		if c.ReferenceShapes {
			reference.time, reference.reference = o.Arrival+tick*n(0, 20, "shaped"), o.Cost
			w.rows = append(w.rows, reference)
		} else if rapid.Bool().Draw(t, "reference") {
			arrival.reference = o.Cost
		}
		settled := &arrival
		later := blank
		if delay >= 0 {
			later.time = o.Decided
			settled = &later
			change[o.Arrival]++
			change[o.Decided]--
		}
		if o.Verdict.Admitted() {
			settled.admitted = o.Cost
		} else {
			settled.rejected = o.Cost
		}
		w.rows = append(w.rows, arrival)
		switch {
		case delay < 0:
			w.immediate = append(w.immediate, o)
		case o.Decided >= c.End:
			w.rows = append(w.rows, later)
			o.Waiting = true
			w.outcomes = append(w.outcomes, o)
		default:
			w.rows = append(w.rows, later)
			w.outcomes = append(w.outcomes, o)
		}
	}
	sort.SliceStable(w.rows, func(i, j int) bool { return w.rows[i].time < w.rows[j].time })
	sort.SliceStable(w.immediate, func(i, j int) bool { return w.immediate[i].Arrival < w.immediate[j].Arrival })
	for at, d := range change {
		w.waiting = append(w.waiting, levelAt{at, d})
	}
	sort.Slice(w.waiting, func(i, j int) bool { return w.waiting[i].time < w.waiting[j].time })
	for i := 1; i < len(w.waiting); i++ {
		w.waiting[i].n += w.waiting[i-1].n
	}
	return w
}

// flow returns rows as a block.
func flow(rows []row) *Flow {
	f := &Flow{}
	for _, r := range rows {
		f.Time, f.Key = append(f.Time, r.time), append(f.Key, r.key)
		f.Tenant, f.Client = append(f.Tenant, r.tenant), append(f.Client, r.client)
		f.Offered, f.Admitted = append(f.Offered, r.offered), append(f.Admitted, r.admitted)
		f.Rejected, f.Reference = append(f.Rejected, r.rejected), append(f.Reference, r.reference)
	}
	return f
}

// exactCounter returns a counter of a policy's kind as its reference is.
func exactCounter(p *Policy, keys int) counting.Table {
	largest := max(p.LargestCost, 1)
	limit := counting.Limit{Count: p.Limit, Window: p.Window, Burst: max(p.Burst, largest)}
	var changes []counting.Change
	for _, c := range p.Changes {
		c.Limit.Window, c.Limit.Burst = p.Window, max(c.Limit.Burst, largest)
		changes = append(changes, c)
	}
	name := map[Kind]string{TokenBucket: "token-bucket", SlidingLog: "sliding-window-log", FixedWindow: "fixed-window"}[p.Kind]
	table, err := counting.NewChanging(name, limit, changes, nil, keys)
	if err != nil {
		panic(err)
	}
	return table
}

// newRecorder returns a recorder of the world.
func (w *world) newRecorder() *Recorder {
	c := w.cfg
	if c.Settles {
		all := &counting.Concat{}
		for _, p := range c.Policies {
			all.Add(exactCounter(&p, int(p.To-p.From)), int(p.To-p.From))
		}
		if c.Exact = all; c.Policies == nil {
			c.Exact = exactCounter(&c.Policy, c.Keys)
		}
	}
	return NewRecorder(c)
}

// play passes the world to a recorder, in blocks of at most block rows.
func (w *world) play(block int) *Recorder {
	r := w.newRecorder()
	for lo := 0; lo < len(w.rows); lo += block {
		r.Flow(flow(w.rows[lo:min(lo+block, len(w.rows))]))
	}
	for lo := 0; lo < len(w.immediate); lo += block {
		var times, costs []int64
		var verdicts []counting.Verdict
		for _, o := range w.immediate[lo:min(lo+block, len(w.immediate))] {
			times, costs, verdicts = append(times, o.Arrival), append(costs, o.Cost), append(verdicts, o.Verdict)
		}
		r.Immediate(immediate(times, costs, verdicts))
	}
	for o := range slices.Chunk(w.outcomes, block) {
		r.Outcomes(o)
	}
	for _, l := range w.waiting {
		r.Waiting(l.time, l.n)
		r.Guard().Inflight(l.time, l.n)
	}
	w.reserve(r.Settlement())
	r.Close(w.cfg.End)
	return r
}

// immediate returns the sums of a block of attempts.
func immediate(times, costs []int64, verdicts []counting.Verdict) Immediate {
	return Immediate{times, costs, verdicts, Settle(costs, verdicts, make([]int64, len(costs)))}
}

// values returns the figures of one replication by name, without what is pooled, which must
// agree with them.
func values(t testing.TB, r *Recorder) map[string]Value {
	t.Helper()
	all := map[string]Value{}
	for _, f := range r.Figures() {
		if _, twice := all[f.Name]; twice {
			t.Fatalf("%s is reported twice", f.Name)
		}
		v := f.Value
		switch p := v.Pool; {
		case p.Kind == Ratio && (p.Den == 0) != (v.NoData != ""), p.Kind == Quantile && (p.Of == nil) != (v.NoData != ""):
			t.Fatalf("%s: %+v", f.Name, v)
		case p.Kind == Ratio && p.Den != 0 && math.Abs(p.Num/p.Den-v.X) > 1e-12*math.Abs(v.X):
			t.Fatalf("%s is %v, but %v of %v is pooled", f.Name, v.X, p.Num, p.Den)
		case p.Kind == Quantile && p.Of != nil && !p.Of.holds(v.X, p.Permille):
			t.Fatalf("quantile %d of %v is not %v, for %s", p.Permille, *p.Of, v.X, f.Name)
		}
		all[f.Name] = Value{X: v.X, NoData: v.NoData}
	}
	return all
}

// holds reports whether x is this quantile, or the middle of the last bucket if the
// quantile is the maximum in it.
func (d Distribution) holds(x float64, permille int64) bool {
	n := int64(0)
	for i, o := range d {
		if n += o.N; i > 0 && o.X <= d[i-1].X || o.N <= 0 {
			return false
		}
	}
	got := d.quantile(permille, n)
	return got == x || permille < 1000 && got == d[len(d)-1].X && math.Abs(got-x) <= 0.01*got
}

// reserve passes the reservations to a meter, in time order.
func (w *world) reserve(s *Settlement) {
	type event struct {
		at  int64
		run func()
	}
	var events []event
	for _, h := range w.reserved {
		events = append(events, event{h.from, func() { s.Reserve(h.from, h.held, h.cost) }}, event{h.to, func() { s.Release(h.to, h.held, h.cost) }})
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].at < events[j].at })
	for _, e := range events {
		e.run()
	}
}
