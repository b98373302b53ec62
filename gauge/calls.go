package gauge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters/custom"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// mostDecisions limits the decisions that are kept to explain a failure.
const mostDecisions = 4_000_000

// errEnough ends a run that has given as many decisions as are kept.
var errEnough = errors.New("enough decisions")

// call is one request and what became of it. Times are simulated ns.
type call struct {
	attempt   int64 // its number in the order of arrival
	at, cost  int64
	client    int32
	key       string
	decided   int64 // when it was decided; -1 if it was not
	goes      int64 // when it was dispatched; waitsAtEnd, or -1 if it was not
	reference int64 // when the reference dispatched it; waitsAtEnd, or -1 if it did not
}

const waitsAtEnd = -2 // in place of a time of dispatch

// calls are the requests of a row in one replication, in order of arrival.
type calls struct {
	list    []call
	row     string
	of      *Row   // whose limiter it is, nil if a scenario file says what to run
	against string // the reference
	policy  results.Policy
	limit   counting.Limit // that the row enforces
	start   int64          // that shown times count from
	cut     bool           // there are more requests than are kept
}

// calls runs a replication of a scenario again and returns the requests of a row.
func (r *runner) calls(s results.Scenario, row results.Result, number int) (*calls, error) {
	c := &calls{row: row.Algorithm, against: cmp.Or(row.ComparedWith, "reference"), policy: s.Policy}
	if format.IsDate(s.StartNs) {
		c.start = s.StartNs
	}
	f := *r.file
	if err := f.Override(scenarios.Overrides{Only: []string{s.Name}}); err != nil {
		return nil, err
	}
	one := f.Scenarios[0]
	c.limit = theory.LimitOf(&one)
	one.Algorithms = slices.DeleteFunc(slices.Clone(one.Algorithms), func(a scenarios.Algorithm) bool { return a.Name != row.Algorithm })
	one.Expect = nil
	for _, a := range one.Algorithms {
		c.of = r.host.rows[cmp.Or(a.Preset, a.Name)]
	}
	f.Scenarios = []scenarios.Scenario{one}
	reference := map[[2]int64]int64{}
	_, err := r.run(&f, sim.Options{Workers: 1, Only: number, Details: sim.Details{Decisions: func(d *sim.Decision) error {
		id, goes := [2]int64{d.Fresh, int64(d.Try)}, d.DispatchedNs
		if d.Verdict == "waiting" {
			goes = waitsAtEnd
		}
		switch d.Algorithm {
		case c.against:
			reference[id] = goes
		case c.row:
			if len(c.list) == mostDecisions {
				return errEnough
			}
			admitted, known := reference[id]
			if !known {
				admitted = -1
			}
			c.list = append(c.list, call{
				attempt: d.Attempt, at: d.ArrivalNs, cost: d.Cost, client: d.Client, key: d.Key,
				decided: d.DecidedNs, goes: goes, reference: admitted,
			})
		}
		return nil
	}}})
	if c.cut = errors.Is(err, errEnough); err != nil && !c.cut {
		return nil, err
	}
	slices.SortFunc(c.list, func(a, b call) int { return cmp.Compare(a.attempt, b.attempt) })
	return c, nil
}

// worst describes the worst instant for a metric, and the calls around it.
func (c *calls) worst(metric string) []string {
	switch {
	case len(c.list) == 0:
		return []string{"  no request was made"}
	case ofAnswers.MatchString(metric):
		i, refused := c.worstWindow((*call).arrives, func(x *call) int64 {
			if x.goes < 0 {
				return 1
			}
			return 0
		})
		if refused == 0 {
			return []string{"  no request was refused"}
		}
		return c.around(i, fmt.Sprintf("worst instant: most requests refused within %v, around %s", c.window(), c.at(c.list[i].at)))
	case ofWaits.MatchString(metric):
		i := 0
		for k := range c.list {
			if c.list[k].wait() > c.list[i].wait() {
				i = k
			}
		}
		return c.around(i, fmt.Sprintf("worst instant: request of key %q at %s waits %v", c.list[i].key, c.at(c.list[i].at), time.Duration(c.list[i].wait())))
	case ofRefusals.MatchString(metric):
		i, short := c.worstWindow((*call).arrives, func(x *call) int64 { return x.costAt(x.reference) - x.costAt(x.goes) })
		return c.around(i, fmt.Sprintf("worst instant: key %q at %s: %s admitted %d less than %s within %v", c.list[i].key, c.at(c.list[i].at), c.row, short, c.against, c.window()))
	}
	i, admitted := c.worstWindow((*call).leaves, func(x *call) int64 { return x.costAt(x.goes) })
	return c.around(i, fmt.Sprintf("worst instant: key %q at %s: %s admitted %d within %v; the limit is %s", c.list[i].key, c.at(max(c.list[i].at, c.list[i].goes)), c.row, admitted, c.window(), c.policy.Text))
}

func (x *call) arrives() int64 { return x.at }
func (x *call) leaves() int64  { return x.goes }

// wait returns how long the request waited, -1 if it did not go.
func (x *call) wait() int64 {
	if x.goes < 0 {
		return -1
	}
	return x.goes - x.at
}

// costAt returns the cost if the request went, and otherwise 0.
func (x *call) costAt(goes int64) int64 {
	if goes < 0 {
		return 0
	}
	return x.cost
}

func (c *calls) window() time.Duration { return time.Duration(c.policy.WindowNs) }

// worstWindow returns the last request of the window-long span with the largest sum of
// weights of one key's requests, and the sum. at is when a request counts; it does not
// if that is below 0.
func (c *calls) worstWindow(at, weight func(*call) int64) (last int, most int64) {
	var order []int
	for i := range c.list {
		if at(&c.list[i]) >= 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at(&c.list[a]), at(&c.list[b])) })
	type span struct {
		calls []int // in the span
		sum   int64
	}
	spans := map[string]*span{}
	for _, i := range order {
		x := &c.list[i]
		s := spans[x.key]
		if s == nil {
			s = &span{}
			spans[x.key] = s
		}
		s.calls = append(s.calls, i)
		s.sum += weight(x)
		for ; at(&c.list[s.calls[0]]) <= at(x)-c.policy.WindowNs; s.calls = s.calls[1:] {
			s.sum -= weight(&c.list[s.calls[0]])
		}
		if s.sum > most {
			last, most = i, s.sum
		}
	}
	return last, most
}

// difference describes the calls up to the first that a counter decides otherwise.
func (c *calls) difference(d *results.Difference, as string) []string {
	i := slices.IndexFunc(c.list, func(x call) bool { return x.attempt == d.Attempt })
	if i < 0 {
		return []string{fmt.Sprintf("  at %s, key %q, cost %d", c.at(d.AtNs), d.Key, d.Cost)}
	}
	if c.of != nil {
		c.compareWith(c.of, i, d.EarlyNs > 0)
	}
	if d.EarlyNs != 0 && d.Admitted {
		return c.around(i, fmt.Sprintf("first: key %q at %s: dispatched by %s %s %s does", d.Key, c.at(d.AtNs), c.row, d.Apart(), as))
	}
	if d.EarlyNs > 0 {
		return c.around(i, fmt.Sprintf("first: key %q at %s: rejected by both, but %s names a time to retry after that is %v too early",
			d.Key, c.at(d.AtNs), c.row, time.Duration(d.EarlyNs)))
	}
	own, other := "rejected by", "admitted"
	if d.Admitted {
		own, other = "admitted by", "rejected"
	}
	if d.Waits {
		own = "still waiting at the end for"
	}
	return c.around(i, fmt.Sprintf("first: key %q at %s: %s %s, %s by %s", d.Key, c.at(d.AtNs), own, c.row, other, as))
}

// differs reports whether the reference decides otherwise.
func (x *call) differs() bool { return x.reference >= 0 != (x.goes >= 0) }

// compareWith replaces the reference's verdicts by those of the counter that a row's As
// names, as sim/limiters/custom gives them: of the instants at which the call that is
// shown differs, those from which the fewest calls do. If none differs at any, as
// with a limit that changes, the reference stays.
func (c *calls) compareWith(as *Row, shown int, early bool) {
	ids := map[string]int32{}
	keys := lists.Map(c.list, func(x call) int32 {
		id := x.key
		if as.perClient {
			id = fmt.Sprintf("%d %s", x.client, x.key)
		}
		if _, known := ids[id]; !known {
			ids[id] = int32(len(ids))
		}
		return ids[id]
	})
	if as.kind != decides {
		queue, err := counting.NewWaiting(as.as, c.limit, as.asValues, cmp.Or(int64(as.maxWait), counting.Never), len(ids))
		if err != nil {
			return // the row could not have run
		}
		for k := range c.list {
			x := &c.list[k]
			v, dispatch := queue.Take(keys[k], x.at, x.cost)
			if x.reference = -1; v.Admitted() {
				x.reference = dispatch
			}
		}
		c.against = as.as
		return
	}
	var best []call
	fewest := len(c.list) + 1
	overlap := slices.ContainsFunc(c.list, func(x call) bool { return x.decided > x.at })
	for instant := range custom.Exacts {
		at := func(k int) int64 { return custom.Instants(c.list[k].at, max(c.list[k].at, c.list[k].decided))[instant] }
		order := make([]int, len(c.list))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if order := cmp.Compare(at(a), at(b)); order != 0 || !overlap {
				return order
			}
			return custom.Admitted(c.list[a].goes >= 0, c.list[b].goes >= 0)
		})
		table, err := counting.NewFollower(int64(as.tolerance), func() (counting.Table, error) { return counting.NewAtOnce(as.as, c.limit, as.asValues, len(ids)) })
		if err != nil {
			return // the row could not have run
		}
		exact, differ := slices.Clone(c.list), 0
		for _, k := range order {
			x := &exact[k]
			admitted := x.goes >= 0
			if table.Follow(keys[k], at(k), x.cost, admitted) == counting.Differs {
				admitted = !admitted
				differ++
			}
			if x.reference = -1; admitted {
				x.reference = x.at
			}
		}
		if (exact[shown].differs() || early) && differ < fewest {
			best, fewest = exact, differ
		}
	}
	if best != nil {
		c.list, c.against = best, as.as
	}
}

// at returns a simulated time as it is shown.
func (c *calls) at(ns int64) string { return time.Duration(ns - c.start).String() }
