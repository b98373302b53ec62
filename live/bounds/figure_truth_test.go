package bounds

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// event is a request in the log of a limiter. One that the limiter never saw has
// decided false.
type event struct {
	sent, at, dispatched, cost int64
	key                        string
	client                     int32
	decided, admitted          bool
}

// figureTruth computes figures by the definitions of docs/metrics.md from a log.
type figureTruth struct {
	limit      counting.Limit
	kind       Kind
	phase      int64 // of the windows
	usedBefore int64 // cost that each key's exact limiter has admitted at time 0
	events     []event
}

// window returns the number of the calendar window of a time.
func (f *figureTruth) window(t int64) int64 {
	return (t-f.phase+1000*f.limit.Window)/f.limit.Window - 1000
}

// reference returns the events that an exact limiter admits.
func (f *figureTruth) reference(events []event, depth int64) (admitted []event) {
	limit := f.limit
	limit.Burst = depth
	take := exactly(map[Kind]string{Sliding: "sliding-log", Calendar: "fixed-window", Bucket: "token-bucket"}[f.kind], limit, f.phase, counting.WindowOptions{})
	take(0, f.usedBefore)
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for _, e := range events {
		if e.decided && take(e.at, e.cost).Admitted() {
			admitted = append(admitted, e)
		}
	}
	return admitted
}

func (f *figureTruth) figures() map[string]float64 {
	limit, width := f.limit.Count, f.limit.Window
	depth, first, last := f.limit.Burst, int64(math.MaxInt64), int64(math.MinInt64)
	byKey := map[string][]event{}
	for _, e := range f.events {
		depth = max(depth, e.cost)
		first, last = min(first, f.window(e.sent)), max(last, f.window(e.sent))
		byKey[e.key] = append(byKey[e.key], e)
	}
	first-- // a clock can read a time in the window before
	end := f.phase + (last+1)*width
	m := map[string]float64{}
	raise := func(name string, x float64) { m[name] = max(m[name], x) }
	for _, name := range []string{"burst_excess", "accumulated_excess", "worst_sliding_pct"} {
		m[name] = 0
	}
	var windows, over, excess, more, less, admittedAll, referenceAll int64
	for _, events := range byKey {
		admitted := slices.DeleteFunc(slices.Clone(events), func(e event) bool { return !e.admitted || e.dispatched >= end })
		slices.SortStableFunc(admitted, func(a, b event) int { return cmp.Compare(a.dispatched, b.dispatched) })
		var saturated, beyond int64
		reference := f.reference(events, depth)
		for k := first; k <= last; k++ {
			var o, a, r int64
			for _, e := range events {
				if f.window(e.sent) == k {
					o += e.cost
				}
			}
			for _, e := range admitted {
				if f.window(e.dispatched) == k {
					a += e.cost
				}
			}
			for _, e := range reference {
				if f.window(e.at) == k {
					r += e.cost
				}
			}
			if o >= limit {
				saturated++
				beyond += max(0, a-limit)
				if a > limit {
					over++
				}
				raise("over_limit_pct_max", 100*float64(max(0, a-limit))/float64(limit))
			}
			if f.kind == Calendar {
				raise("burst_excess", float64(a-limit))
			}
			more += max(0, a-r)
			less += max(0, r-a)
			admittedAll += a
			referenceAll += r
		}
		windows += saturated
		excess += beyond
		if saturated > 0 {
			raise("over_limit_pct_worst_key", 100*float64(beyond)/float64(saturated)/float64(limit))
		}
		n, per := f.limit.Rate()
		for i := range admitted {
			var held int64
			for j := i; j >= 0; j-- {
				held += admitted[j].cost
				took := admitted[i].dispatched - admitted[j].dispatched
				if took < width {
					raise("worst_sliding_pct", 100*float64(held-limit)/float64(limit))
					if f.kind == Sliding {
						raise("burst_excess", float64(held-limit))
					}
				}
				if f.kind == Bucket {
					x := float64(per*held-n*took-per*depth) / float64(per)
					raise("accumulated_excess", x)
					if f.window(admitted[j].dispatched) >= f.window(admitted[i].dispatched)-1 {
						raise("burst_excess", x)
					}
				}
			}
		}
	}
	if windows > 0 {
		m["over_limit_pct"] = 100 * float64(excess) / float64(windows) / float64(limit)
		m["over_limit_share_gt_0"] = 100 * float64(over) / float64(windows)
	}
	if referenceAll > 0 {
		m["over_admission_pct"] = 100 * float64(more) / float64(referenceAll)
		m["under_admission_pct"] = 100 * float64(less) / float64(referenceAll)
		m["long_run_error_pct"] = 100*float64(admittedAll)/float64(referenceAll) - 100
	}
	f.counts(m)
	return m
}

// counts adds the figures of counts and shares.
func (f *figureTruth) counts(m map[string]float64) {
	byClient := map[int32]float64{}
	var total float64
	for _, e := range f.events {
		m["offered_requests"]++
		m["offered_cost"] += float64(e.cost)
		byClient[e.client] += 0
		name := "rejected"
		if e.admitted {
			name = "admitted"
			byClient[e.client] += float64(e.cost)
			total += float64(e.cost)
		}
		m[name+"_requests"]++
		m[name+"_cost"] += float64(e.cost)
	}
	m["rejected_pct"] = 100 * m["rejected_requests"] / m["offered_requests"]
	least, most := math.Inf(1), 0.0
	for _, x := range byClient {
		least, most = min(least, x), max(most, x)
	}
	m["client_share_min_pct"], m["client_share_max_pct"], m["client_share_max_over_min"] = 100*least/total, 100*most/total, most/least
}

// check returns an error if a figure contradicts the truth. At most a rounding error
// may be between them.
func checkFigures(figures []Figure, truth map[string]float64, onlyLeast bool) error {
	for _, f := range figures {
		x, ok := truth[f.Name]
		if f.None != "" || !ok {
			continue
		}
		slack := 1e-9 * max(1, math.Abs(x))
		if f.Lo > x+slack || x > f.Hi+slack && !onlyLeast || f.Lo > f.Seen+slack || f.Seen > f.Hi+slack || math.IsNaN(f.Lo+f.Hi+f.Seen) {
			return fmt.Errorf("%s: from %v to %v, seen %v, truth %v", f.Name, f.Lo, f.Hi, f.Seen, x)
		}
	}
	return nil
}

// eventsOf links a run's decisions with its exchanges.
func eventsOf(v virtual, exchanges []exchange.Exchange) []event {
	events := make([]event, len(exchanges))
	for i, e := range exchanges {
		events[i] = event{sent: e.SentNs, cost: e.Cost, key: e.Key, client: e.Client}
	}
	for _, d := range v.decisions {
		e := &events[d.of]
		e.at, e.decided, e.admitted, e.dispatched = d.at, true, d.admitted, d.at+exchanges[d.of].WaitNs
	}
	return events
}

// latestFailed returns a bound on how long after its sending a failed request was
// decided.
func (f *figureTruth) latestFailed(all []exchange.Exchange) (ns int64) {
	for i, e := range f.events {
		if all[i].Verdict == exchange.Failed {
			ns = max(ns, e.at-e.sent+1)
		}
	}
	return ns
}

// check compares the figures of exchanges with the truth. The stated phase begins some
// time before the true one and leaves a doubt.
func (f *figureTruth) check(all []exchange.Exchange, s Settings, before, doubtNs int64) ([]Figure, map[string]float64, error) {
	s.UsedBefore = f.usedBefore > 0
	earliest := (f.phase + s.Limit.Window - before) % s.Limit.Window
	s.Phase = &Phase{earliest, earliest + doubtNs}
	if f.kind != Calendar {
		f.phase = earliest // where windows of other kinds begin then
	}
	rep, err := Judge(all, s)
	if err != nil {
		return nil, nil, err
	}
	figures, _, err := Figures(all, s, rep)
	if err != nil {
		return nil, nil, err
	}
	m := f.figures()
	if err := checkFigures(figures, m, false); err != nil {
		return nil, nil, err
	}
	if q := s.ResolutionNs; q > 0 {
		// As a clock that rounds down reads the times.
		for i := range f.events {
			e := &f.events[i]
			e.at -= e.at % q
			e.dispatched -= e.dispatched % q
		}
		if err := checkFigures(figures, f.figures(), true); err != nil {
			return nil, nil, fmt.Errorf("as the clock reads: %w", err)
		}
	}
	return figures, m, nil
}
