package libraries

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// keys is the number of keys in a session.
const keys = 2

// difference is the first call that a library answers unlike the exact limiter.
type difference struct {
	call     int      // its index
	promised []answer // by the exact limiter, up to this call
	// offNs is the time between the instant of the library's answer and the nearest
	// one at which the exact limiter would have answered so; counting.Never if there
	// is none.
	offNs int64
}

// compare compares the answers with those of the exact limiter. A difference of at
// most tolerance ns does not count: the exact limiter then goes on from what the
// library did.
func compare(l library, p gauge.Policy, calls []call, answers []answer, toleranceNs int64) (d difference, differs bool) {
	judge := newJudge(l, p)
	for i, c := range calls {
		promised, offNs := judge.answer(c, answers[i])
		d.promised = append(d.promised, promised)
		if offNs > toleranceNs {
			d.call, d.offNs = i, offNs
			return d, true
		}
	}
	return difference{}, false
}

// judge compares calls with the exact limiter of a promise, one after the other.
type judge struct {
	exact
	waits, countsRefused bool
	last                 [keys]int64 // when the key was last charged
}

func newJudge(l library, p gauge.Policy) *judge {
	return &judge{exact: l.promise.exact(p, keys), waits: l.door == blocks, countsRefused: l.promise.countsRefused}
}

// answer returns what the promise is for the call, and by how many ns the answer a
// is early or late. It then charges the call as the library did.
func (j *judge) answer(c call, a answer) (promised answer, offNs int64) {
	key, before := int32(c.key), j.last[c.key]
	now := max(c.atNs, before)
	free := j.RetryAt(key, now, c.cost)
	promised = answer{free == now, c.atNs}
	if j.waits {
		promised = answer{free != counting.Never, free}
	}
	switch {
	case a.admit && free == counting.Never:
		return promised, counting.Never
	case a.admit && j.waits:
		j.charge(c, max(a.atNs, free))
		return promised, max(a.atNs-free, free-a.atNs)
	case a.admit:
		j.charge(c, free)
		return promised, free - now // early
	case !promised.admit:
		if j.countsRefused {
			j.charge(c, now)
		}
		return promised, 0
	}
	since := j.RetryAt(key, before, c.cost)
	if since == before || j.waits {
		return promised, counting.Never
	}
	return promised, now - since // late
}

func (j *judge) charge(c call, atNs int64) {
	j.Take(int32(c.key), atNs, c.cost)
	j.last[c.key] = atNs
}
