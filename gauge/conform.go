package gauge

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge/conformance"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Conform compares a row's limiters with the exact counter that its As names, call by
// call. It runs step tables and random sessions whose calls are placed where the
// counter's verdicts change, each with a new limiter, and fails the test with the
// fewest calls that show the first difference. With Tolerance, the counter may decide
// a call at another instant, at most that time from the call's own.
//
// Sessions have several keys and last up to 146 years, or less if timers of the limiters
// run in a bubble, such as those of a cleanup; the clock is never set back. Costs and
// Limits bound what the limiters are asked. The limiters must decide on arrival; if calls
// take virtual time, all must take the same.
//
// Without Costs and Limits, numbers that hardly any scenario has follow: costs of 0, and
// larger ones, with which an integer may overflow. A difference there is logged, and does
// not fail the test. Under Limits, idle times that such a limiter may meet in a scenario
// are part of the comparison: up to a year, or longer if their product with the limit is
// below 2^63 ns.
func Conform(t *testing.T, row Row) {
	t.Helper()
	rows := []Row{row}
	h, err := newHost(t, rows)
	switch {
	case err != nil:
		t.Fatal(err)
	case row.as == "":
		t.Fatalf("%s: gauge.As is missing: the counter to compare with", row.name)
	}
	o := conformance.Options{Seed: 1, Sessions: conformance.DefaultSessions, ToleranceNs: int64(row.tolerance), Counter: rows[0].asValues, Costs: row.costs, InProcess: true}
	for _, p := range row.limits {
		limit := conformance.Policy{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}
		if err := limit.Check(); err != nil {
			t.Fatalf("%s: gauge.Limits: %v", row.name, err)
		}
		o.Policies = append(o.Policies, limit)
	}
	var r *conformance.Report
	p := append(o.Policies, smallLimit)[0]
	spans, named := map[conformance.Policy]int64{}, len(o.Policies) > 0
	o.Span = func(p conformance.Policy) int64 {
		if _, known := spans[p]; !known {
			spans[p], _ = h.span(t.Context(), row.name, p, named) // after an error, a session ends with it, too
		}
		return spans[p]
	}
	if spans[p], err = h.span(t.Context(), row.name, p, named); err == nil {
		var lead int64
		if lead, o.Apart, err = h.lead(t.Context(), row.name, o, p); err == nil {
			r, err = conformance.Check(t.Context(), row.as, h.conforming(t.Context(), row.name, lead), o)
		}
	}
	if err != nil {
		t.Fatalf("%s: %s", row.name, strings.TrimPrefix(err.Error(), row.name+": ")) // some errors name the row
	}
	var text strings.Builder
	r.Write(&text) // a Builder returns no error
	switch {
	case r.Difference != nil:
		t.Errorf("%s\n%s", row.name, &text)
	case r.Overflow != nil:
		t.Logf("%s\n%s", row.name, &text)
	}
}

// spans are virtual times, each of which sessions may last at most.
var spans = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 10 * time.Second, 100 * time.Second,
	10 * time.Minute, time.Hour, day, 30 * day, 730 * day, 14_600 * day,
}

const day = 24 * time.Hour

// span returns the longest time of a session under a policy in ns, or 0 if there is no
// bound: if timers of the limiters, such as those of a cleanup or a refill at each window,
// do not take long in a bubble. It is too short for a policy that Limits names, or for one of
// a short window, only if timers take very long: a busy machine leaves none out.
func (h *host) span(ctx context.Context, row string, p conformance.Policy, named bool) (int64, error) {
	l, err := h.conforming(ctx, row, 0)(p)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	const most, slow = 100 * time.Millisecond, time.Second // of real time, for a session
	needed, spans := 8*time.Duration(p.Window), slices.Clone(spans)
	if named {
		spans = append(spans, needed)
		slices.Sort(spans)
	} else {
		needed = min(needed, 10*time.Minute)
	}
	at := int64(0)
	takesTime := h.probes[probeKey{row, p}].nature.takesTime
	for i, span := range spans {
		if takesTime && span < 10*time.Minute {
			continue // calls of the measurement would overlap
		}
		least := time.Duration(math.MaxInt64)
		for range 3 { // the machine may be busy with something else
			at += int64(span) / 4
			start := time.Now()
			if err := conformance.Ask(l, []conformance.Call{{AtNs: at, Key: "a", Cost: 1}}, make([]bool, 1)); err != nil {
				return 0, err
			}
			least = min(least, 4*time.Since(start))
		}
		switch {
		case span <= needed && least > slow:
			return int64(spans[max(i-1, 0)]), nil
		case span >= needed && i+1 < len(spans) && least.Seconds()*spans[i+1].Seconds() > most.Seconds()*span.Seconds():
			return int64(span), nil
		}
	}
	return 0, nil
}

// conforming returns a maker of limiters of a row for sessions, which begin at time 0. Calls
// that take virtual time start earlier by the lead in ns, at which the limiter decides.
func (h *host) conforming(ctx context.Context, row string, lead int64) conformance.Maker {
	return func(p conformance.Policy) (outside.Fleet, error) {
		before := (lead + p.Window - 1) / p.Window * p.Window
		f, err := h.make(ctx, outside.Program{Row: row, Limit: p, Instances: 1, Key: "a", Seed: 1, OriginNs: -before})
		if lead > 0 && err == nil {
			f = &leading{f, lead}
		}
		return f, err
	}
}

// leading starts calls earlier by a lead in ns.
type leading struct {
	outside.Fleet
	lead int64
}

func (l *leading) Decide(requests []outside.Request, answers []outside.Answer) error {
	earlier := slices.Clone(requests)
	for i := range earlier {
		earlier[i].AtNs -= l.lead
	}
	return l.Fleet.Decide(earlier, answers)
}

// lead returns how long after its start a call is decided, if calls take virtual time,
// which it reports. It uses the limiter up and looks when a call must start to be admitted
// again. If the counter's verdicts depend on what was admitted before alone, and not on the
// calendar, any lead shows the same, and it is 0.
func (h *host) lead(ctx context.Context, row string, o conformance.Options, p conformance.Policy) (lead int64, takesTime bool, err error) {
	nature := h.probes[probeKey{row, p}].nature
	if !nature.takesTime {
		return 0, false, nil
	}
	exact, err := counting.NewAtOnce(h.rows[row].as, p, o.Counter, 1)
	if err != nil {
		return 0, true, err
	}
	cost, at := max(o.Costs[0], 1), p.Window+p.Window/3
	var calls []conformance.Call
	for admitted := true; admitted && len(calls) < mostCalls; at++ {
		calls = append(calls, conformance.Call{AtNs: at, Key: "a", Cost: cost})
		admitted = exact.Take(0, at, cost).Admitted()
	}
	again := exact.RetryAt(0, at, cost)
	if again == counting.Never {
		return 0, true, nil
	}
	maker := h.conforming(ctx, row, 0)
	lead = int64(sort.Search(int(min(again-at, int64(time.Minute))), func(earlier int) bool {
		admitted := make([]bool, len(calls)+1)
		l, failed := maker(p)
		if failed == nil {
			failed = conformance.Ask(l, append(calls, conformance.Call{AtNs: again - int64(earlier) - 1, Key: "a", Cost: cost}), admitted)
			failed = cmp.Or(failed, l.Close())
		}
		err = cmp.Or(err, failed)
		return !admitted[len(calls)]
	}))
	return lead, true, err
}
