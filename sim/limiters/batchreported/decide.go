package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// lookAhead is the number of arrivals that are decided before the first of them
// is counted. The state of clients does not fit the caches; this way the
// processor fetches it for many arrivals at a time.
const lookAhead = 64

// judged holds the decisions on arrivals that are not counted yet.
type judged struct {
	slots [lookAhead]int32
	times [lookAhead]int64 // of arrivals decided by a server's answer
	ages  [lookAhead]int64 // ns, of these answers
}

// Decide decides for clients that all run the same code.
func (r *reported) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	if a.Estimate != nil {
		verdicts[0] = r.decideCharge(a, lo)
		return 1
	}
	decide := (*reported).decideEach
	switch {
	case r.fleet != nil:
		decide = (*reported).decideFleet
	case !r.setting.MultiPolicy() && r.clients[a.Client[lo]].Plain():
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

// decidePlain decides at most lookAhead arrivals at clients without draws and
// local limits.
func (r *reported) decidePlain(a *engine.Arrivals, lo int, verdicts []counting.Verdict) int {
	n := r.startTicks(a.Time[lo:lo+len(verdicts)], a.Client[lo:lo+len(verdicts)])
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	slots, ages, all := r.ahead.slots[:n], r.ahead.ages[:n], r.clients
	known := true
	for i, id := range clients {
		client := all[id]
		slots[i] = client.Slot(keys[i])
		verdict, computedAt := client.Judge(times[i], slots[i], costs[i])
		verdicts[i], ages[i] = verdict, times[i]-computedAt
		known = known && computedAt != batchreported.NoAnswer
	}
	for i, id := range clients {
		all[id].Count(slots[i], costs[i], verdicts[i])
	}
	r.age(times, known)
	return n
}

// decideFleet is decidePlain for clients that are stored as a fleet.
func (r *reported) decideFleet(a *engine.Arrivals, lo int, verdicts []counting.Verdict) int {
	n := r.startTicks(a.Time[lo:lo+len(verdicts)], a.Client[lo:lo+len(verdicts)])
	times := a.Time[lo : lo+n]
	known := r.fleet.Decide(times, a.Client[lo:lo+n], a.Key[lo:lo+n], a.Cost[lo:lo+n], verdicts[:n], r.ahead.ages[:n])
	r.age(times, known)
	return n
}

// startTicks schedules the next ticks of clients that decide. It returns the
// number of arrivals before the next event, which may be one of these ticks.
func (r *reported) startTicks(times []int64, clients []int32) int {
	n := r.beforeNext(times)
	for i := 0; i < n && r.idle > 0; i++ {
		if !r.ticking[clients[i]] {
			r.tick(times[i], clients[i])
			n = r.beforeNext(times[:n])
		}
	}
	return n
}

// beforeNext returns how many of some ordered times are before the next event.
func (r *reported) beforeNext(times []int64) int {
	n, next := len(times), r.Next()
	for n > 0 && times[n-1] >= next {
		n--
	}
	return n
}

// age records how old the answers were that decided arrivals. known reports
// whether an answer decided each of them.
func (r *reported) age(times []int64, known bool) {
	ages := r.ahead.ages[:len(times)]
	if !known {
		n := 0
		for i, age := range ages {
			r.ahead.times[n], ages[n] = times[i], age
			if age < batchreported.NoAge {
				n++
			}
		}
		times, ages = r.ahead.times[:n], ages[:n]
	}
	r.load.StalenessOf(times, ages)
}

// decideEach decides at most lookAhead arrivals one after the other, with draws
// and local limits.
func (r *reported) decideEach(a *engine.Arrivals, lo int, verdicts []counting.Verdict) int {
	n, multi := len(verdicts), r.setting.MultiPolicy()
	times, keys, clients, costs := a.Time[lo:lo+n], a.Key[lo:lo+n], a.Client[lo:lo+n], a.Cost[lo:lo+n]
	n = r.startTicks(times, clients)
	times, clients = times[:n], clients[:n]
	slots := r.ahead.slots[:n]
	coin := &r.codeOf(a.Client[lo]).coin
	if !multi {
		for i, id := range clients {
			slots[i] = r.clients[id].Slot(keys[i])
		}
	}
	for i, id := range clients {
		now, client := times[i], r.clients[id]
		if multi {
			verdicts[i] = client.DecideAll(now, a.Keys(lo+i), costs[i], coin)
		} else {
			verdicts[i] = client.DecideAt(now, slots[i], costs[i], coin)
		}
		if computedAt, ok := client.LatestAnswer(); ok {
			r.load.Staleness(now, now-computedAt)
		}
	}
	return n
}
