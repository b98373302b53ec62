package reports

import (
	"github.com/limitgauge/limitgauge/algorithms/batch"
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// lookAhead is how many arrivals are looked up, and judged where that changes
// nothing, before the first of them is counted. What clients know is spread over
// more memory than caches hold: the processor fetches it for many at a time.
const lookAhead = 64

// judged is what was found out about arrivals ahead of their turn.
type judged struct {
	slots    [lookAhead]int32
	answered [lookAhead]int64 // when the answers were computed that they went by
	times    [lookAhead]int64 // of those that went by one
	ages     [lookAhead]int64 // ns
}

func (r *reported) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	decide := (*reported).decideEach
	switch {
	case r.fleet != nil:
		decide = (*reported).decideFleet
	case !r.setting.Several() && r.clients[0].Plain():
		decide = (*reported).decidePlain
	}
	for at := lo; at < hi; {
		n := min(hi-at, lookAhead)
		decided := decide(r, a, at, verdicts[at-lo:at-lo+n])
		at += decided
		if decided < n {
			return at - lo
		}
	}
	return hi - lo
}

// decidePlain decides at most lookAhead arrivals at plain clients.
func (r *reported) decidePlain(a *lanes.Arrivals, lo int, verdicts []counters.Verdict) int {
	n := len(verdicts)
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	slots, answered, all := r.ahead.slots[:n], r.ahead.answered[:n], r.clients
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

// decideFleet is decidePlain for clients that are a fleet.
func (r *reported) decideFleet(a *lanes.Arrivals, lo int, verdicts []counters.Verdict) int {
	n := len(verdicts)
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	r.fleet.Judge(times, clients, keys, costs, verdicts, r.ahead.answered[:n])
	cut := r.Next()
	for i, id := range clients {
		if times[i] >= cut {
			n = i // a tick that an earlier one of these made due
			break
		}
		if !r.ticking[id] {
			r.tick(times[i], id)
			cut = r.Next()
		}
	}
	r.fleet.Count(clients[:n], keys[:n], costs[:n], verdicts[:n])
	r.age(times[:n])
	return n
}

// age measures how old the answers were that arrivals have gone by.
func (r *reported) age(times []int64) {
	answered, ages := r.ahead.answered[:len(times)], r.ahead.ages[:len(times)]
	oldest := int64(0)
	for i, at := range answered {
		oldest, ages[i] = min(oldest, at), times[i]-at
	}
	if oldest != batch.NoAnswer {
		r.load.StalenessOf(times, ages)
		return
	}
	known := 0
	for i, at := range answered {
		r.ahead.times[known], r.ahead.ages[known] = times[i], times[i]-at
		if at != batch.NoAnswer {
			known++
		}
	}
	r.load.StalenessOf(r.ahead.times[:known], r.ahead.ages[:known])
}

// decideEach decides at most lookAhead arrivals, one after the other: draws and
// local limits take part.
func (r *reported) decideEach(a *lanes.Arrivals, lo int, verdicts []counters.Verdict) int {
	n, several := len(verdicts), r.setting.Several()
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	slots := r.ahead.slots[:n]
	if !several {
		for i, id := range clients {
			slots[i] = r.clients[id].Slot(keys[i])
		}
	}
	cut := r.Next()
	for i, id := range clients {
		now := times[i]
		if now >= cut {
			return i // a tick that an earlier one of these made due
		}
		client := r.clients[id]
		if several {
			verdicts[i] = client.DecideAll(now, a.Keys(lo+i), costs[i], &r.coin)
		} else {
			verdicts[i] = client.DecideAt(now, slots[i], costs[i], &r.coin)
		}
		if computedAt, ok := client.LatestAnswer(); ok {
			r.load.Staleness(now, now-computedAt)
		}
		if !r.ticking[id] {
			r.tick(now, id)
			cut = r.Next()
		}
	}
	return n
}
