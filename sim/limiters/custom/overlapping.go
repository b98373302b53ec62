package custom

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Exacts is the number of exact counters that decide a call, one at each of its Instants.
const Exacts = 3

// Instants returns the instants at which a call that arrives and returns at other times
// may have been decided: when it returns, halfway, and when it arrives.
func Instants(arrival, returned int64) [Exacts]int64 {
	return [Exacts]int64{returned, arrival + (returned-arrival)/2, arrival}
}

// overlapping compares the verdicts of calls that overlap. It is not known when such a
// call was decided, so that three counters decide it, one at each of its Instants. The
// one from which the fewest verdicts differ counts. If some differ from each, and calls
// take different times or windows are those of the calendar, those count that are not
// possible at any instants, and the others are tolerated.
type overlapping struct {
	result *measure.Differences
	exact  [Exacts]*exact
	meters [Exacts]measure.Differences
	any    *possible         // nil if the counter's state depends on more than what it admitted
	fixed  bool              // the counter depends on the calendar
	length [2]int64          // of the shortest and the longest call
	ended  [Exacts][]verdict // that no counter has decided yet
	open   map[int64]verdict // of calls that have not returned, by number
	next   int64             // number of the next call
}

// verdict is a call and the instant at which a counter decides it.
type verdict struct {
	measure.Difference
	instance int32
	at       int64
}

func newOverlapping(t *engine.Trial) *overlapping {
	o := &overlapping{result: t.Recorder.Differences(), open: map[int64]verdict{}, length: [2]int64{engine.Never, 0}}
	o.result.Compared()
	for i := range o.exact {
		o.exact[i] = engine.Must(newExact(t.Setting, t.Algorithm, t.Keys))
		o.meters[i] = *o.result
	}
	as, values, _ := counterOf(t.Algorithm) // newExact has seen no error
	o.fixed = counting.OnCalendar(as)
	if counting.SumsAdmitted(as, values) {
		o.any = newPossible(t)
	}
	return o
}

// arrive notes the arrival whose call starts next.
func (o *overlapping) arrive(x measure.Difference, instance int32) {
	o.open[o.next] = verdict{Difference: x, instance: instance}
	o.next++
}

// end compares the verdicts of calls that have returned by a time. Those stay that an
// open call may precede.
func (o *overlapping) end(calls []outside.Returned, until int64) {
	for _, r := range calls {
		x := o.open[r.Request]
		delete(o.open, r.Request)
		x.Admitted = r.Admit
		length := r.AtNs - x.At
		o.length = [2]int64{min(o.length[0], length), max(o.length[1], length)}
		if o.any != nil {
			o.any.add(x, r.AtNs)
		}
		for i, at := range Instants(x.At, r.AtNs) {
			x.at = at
			o.ended[i] = append(o.ended[i], x)
		}
	}
	before := [Exacts]int64{engine.Never, engine.Never, engine.Never}
	for _, x := range o.open {
		for i, at := range Instants(x.At, until) {
			before[i] = min(before[i], at)
		}
	}
	for i := range before {
		o.compare(i, min(before[i], until))
	}
	if o.any != nil {
		o.any.process(min(before[Exacts-1], until) - o.any.early.tolerance)
	}
}

// compare compares the verdicts of instants before a time with a counter. Of the calls
// of one instant, those that were admitted come first: they were decided in any order.
func (o *overlapping) compare(i int, before int64) {
	slices.SortFunc(o.ended[i], func(a, b verdict) int {
		return cmp.Or(cmp.Compare(a.at, b.at), Admitted(a.Admitted, b.Admitted), cmp.Compare(a.Attempt, b.Attempt))
	})
	n, _ := slices.BinarySearchFunc(o.ended[i], before, func(x verdict, at int64) int { return cmp.Compare(x.at, at) })
	for _, x := range o.ended[i][:n] {
		o.exact[i].follow(&o.meters[i], x.instance, x.at, x.Difference)
	}
	o.ended[i] = slices.Delete(o.ended[i], 0, n)
}

// Admitted orders a call that was admitted before one that was not.
func Admitted(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// finish compares what is left, and keeps the comparison in which the fewest differ. It
// returns an error if nothing shows whether those are wrong.
func (o *overlapping) finish() error {
	best := 0
	for i := range o.meters {
		if o.compare(i, engine.Never); o.meters[i].Fewer(&o.meters[best]) {
			best = i
		}
	}
	*o.result = o.meters[best]
	same := o.length[0] == o.length[1] // then any of the instants shows the same but for the calendar
	switch {
	case o.result.First == nil || same && (o.any == nil || !o.fixed):
		return nil
	case o.any == nil:
		return fmt.Errorf("whether it decides as its counter does is unknown: its calls take from %v to %v of virtual time, and what this counter has left depends on the order and the times "+
			"of their decisions, which nothing shows. Let all calls take the same time", time.Duration(o.length[0]), time.Duration(o.length[1]))
	}
	before := int64(engine.Never)
	for _, x := range o.open {
		before = min(before, x.At-o.any.early.tolerance)
	}
	if o.any.process(before); o.any.meter.Fewer(o.result) {
		o.any.meter.Tolerates(o.result)
		*o.result = o.any.meter
	}
	return nil
}
