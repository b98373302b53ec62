package custom

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// possible compares verdicts of calls that overlap without an assumption on when within a
// call it was decided. A verdict differs if it is wrong whenever this call and the others
// of its key were decided: if the call was admitted and the counter has not enough for it
// at any instant from its arrival to its return, in whatever order calls are decided; or if
// it was rejected and always has enough.
type possible struct {
	early   *exact // admits calls as early as it can
	late    *exact // charges calls when they return
	meter   measure.Differences
	events  []event // that have not been processed
	flights map[int32]*flight
}

// event is the arrival or the return of a call.
type event struct {
	at      int64
	returns bool
	call    *judged
}

// judged is a call and what is known of its verdict.
type judged struct {
	verdict
	returned, taken int64 // taken is when the early counter admitted it
}

// flight is what has arrived of a key and not returned.
type flight struct {
	last     int64     // time of the last event
	cost     int64     // of calls that the limiter admitted
	admitted []*judged // by the early counter
	open     []*judged // that are not possible so far
}

func newPossible(t *engine.Trial) *possible {
	exact := func() *exact { return engine.Must(newExact(t.Setting, t.Algorithm, t.Keys)) }
	return &possible{meter: *t.Recorder.Differences(), flights: map[int32]*flight{}, early: exact(), late: exact()}
}

// add adds a call that has returned.
func (p *possible) add(x verdict, returned int64) {
	tolerance := p.early.tolerance
	call := &judged{verdict: x, returned: returned}
	p.events = append(p.events, event{max(x.At-tolerance, 0), false, call}, event{returned + tolerance, true, call})
}

// process processes the events before a time, before which no other call arrives. Of those
// of one instant, calls arrive before others return.
func (p *possible) process(before int64) {
	slices.SortFunc(p.events, func(a, b event) int {
		switch order := cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.call.Attempt, b.call.Attempt)); {
		case a.at != b.at || a.returns == b.returns:
			return order
		case a.returns:
			return 1
		}
		return -1
	})
	n := 0
	for ; n < len(p.events) && p.events[n].at < before; n++ {
		p.take(&p.events[n])
	}
	p.events = slices.Delete(p.events, 0, n)
}

func (p *possible) take(e *event) {
	x := e.call
	key := p.early.key(x.instance, x.Key)
	f := p.flights[key]
	if f == nil {
		f = &flight{}
		p.flights[key] = f
	}
	if p.judge(f, key, e.at); e.returns {
		p.end(f, key, e)
	} else {
		if f.open = append(f.open, x); x.Admitted {
			f.cost += x.Cost
		} else {
			p.early.table.Force(key, e.at, x.Cost, false)
		}
	}
	p.judge(f, key, e.at)
}

// end ends a call. If its verdict was not possible, the counter goes on from its own.
func (p *possible) end(f *flight, key int32, e *event) {
	x, admitted := e.call, e.call.Admitted
	same := func(y *judged) bool { return y == x }
	if admitted {
		f.cost -= x.Cost
	}
	if slices.ContainsFunc(f.open, same) && (!admitted || !p.displace(f, key, e.at, x)) {
		p.meter.Differs(x.Difference)
		if admitted = !admitted; admitted {
			p.early.table.Force(key, e.at, x.Cost, true)
		}
	}
	p.late.table.Force(key, e.at, x.Cost, admitted)
	f.open, f.admitted = slices.DeleteFunc(f.open, same), slices.DeleteFunc(f.admitted, same)
}

// judge notes which calls of a key are possible at an instant between their arrivals and
// returns. The least that is left is what is left if all calls in flight were decided.
func (p *possible) judge(f *flight, key int32, at int64) {
	slices.SortStableFunc(f.open, func(a, b *judged) int { return cmp.Compare(a.returned, b.returned) })
	early := p.early.table
	f.open = slices.DeleteFunc(f.open, func(x *judged) bool {
		if !x.Admitted {
			return p.late.table.Level(key, at)-f.cost < x.Cost
		}
		if x.taken = early.RetryAt(key, f.last, x.Cost); x.taken > at {
			return false
		}
		early.Force(key, x.taken, x.Cost, true)
		f.admitted = append(f.admitted, x)
		return true
	})
	f.last = at
}

// displace gives a call what others have that return later, and that are then open again.
// It reports whether that is enough.
func (p *possible) displace(f *flight, key int32, at int64, x *judged) bool {
	early := p.early.table
	slices.SortStableFunc(f.admitted, func(a, b *judged) int { return cmp.Compare(a.returned, b.returned) })
	from, needed := len(f.admitted), x.Cost-max(early.Level(key, at), 0)
	for ; needed > 0; needed -= f.admitted[from].Cost {
		if from--; from < 0 || f.admitted[from].returned <= x.returned {
			return false
		}
	}
	if needed < 0 {
		early.Correct(key, at, f.admitted[from].taken, needed, false)
	}
	f.open = append(f.open, f.admitted[from:]...)
	f.admitted = f.admitted[:from]
	return true
}
