package reports

import (
	"github.com/limitgauge/limitgauge/algorithms/batch"
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// lookAhead is how many arrivals are judged before they are counted. What
// clients know is spread over more memory than caches hold: judging changes
// nothing, so the processor fetches it for many arrivals at a time.
const lookAhead = 64

// judged is what judging arrivals has found.
type judged struct {
	slots    [lookAhead]int32
	answered [lookAhead]int64 // when the answers were computed that they went by
	times    [lookAhead]int64 // of those that went by one
	ages     [lookAhead]int64 // ns
}

func (r *reported) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	if r.setting.Several() || !r.clients[0].Plain() {
		return r.decideEach(a, lo, hi, verdicts)
	}
	for at := lo; at < hi; {
		n := min(hi-at, lookAhead)
		decided := r.decide(a, at, n, verdicts[at-lo:])
		at += decided
		if decided < n {
			return at - lo
		}
	}
	return hi - lo
}

// decide is Decide for at most lookAhead arrivals at plain clients.
func (r *reported) decide(a *lanes.Arrivals, lo, n int, verdicts []counters.Verdict) int {
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	slots, answered, verdicts := r.ahead.slots[:n], r.ahead.answered[:n], verdicts[:n]
	all := r.clients
	for i, id := range clients {
		client := all[id]
		slots[i] = client.Slot(keys[i])
		verdicts[i], answered[i] = client.Judge(times[i], slots[i], costs[i])
	}
	cut := r.Next()
	for i, id := range clients {
		if times[i] >= cut {
			n = i // a tick that an earlier one of these made due
			break
		}
		all[id].Count(slots[i], costs[i], verdicts[i])
		if !r.ticking[id] {
			r.tick(times[i], id)
			cut = r.Next()
		}
	}
	r.age(times[:n])
	return n
}

// age measures how old the answers were that arrivals have gone by.
func (r *reported) age(times []int64) {
	known := 0
	for i, at := range r.ahead.answered[:len(times)] {
		r.ahead.times[known], r.ahead.ages[known] = times[i], times[i]-at
		if at != batch.NoAnswer {
			known++
		}
	}
	r.load.StalenessOf(r.ahead.times[:known], r.ahead.ages[:known])
}

// decideEach is Decide where draws or local limits take part, whose order is
// that of the arrivals.
func (r *reported) decideEach(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	cut, several := r.Next(), r.setting.Several()
	for at := lo; at < hi; at++ {
		now, id := a.Time[at], a.Client[at]
		if now >= cut {
			return at - lo // a tick that an earlier one of these made due
		}
		client := r.clients[id]
		if several {
			verdicts[at-lo] = client.DecideAll(now, a.Keys(at), a.Cost[at], &r.coin)
		} else {
			verdicts[at-lo] = client.Decide(now, a.Key[at], a.Cost[at], &r.coin)
		}
		if computedAt, ok := client.LatestAnswer(); ok {
			r.load.Staleness(now, now-computedAt)
		}
		if !r.ticking[id] {
			r.tick(now, id)
			cut = r.Next()
		}
	}
	return hi - lo
}
