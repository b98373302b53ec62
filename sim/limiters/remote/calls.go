package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// remoteCall is one call of a client to a replica, and what it asks about: a
// request, or some of its keys. Where it asks about several requests, the others
// hang on it as calls that are never sent by themselves.
//
// It fills two cache lines. The second is left alone where requests have one key
// each and replicas have neither a cache nor a bound on their connections.
type remoteCall struct {
	deadline int64 // when its caller goes on without it; 0 once the call is over
	back     int64 // ns of the way from the replica to the client
	wayBack  int64 // ns of the way from the store to the replica
	came     int64 // when it was at the replica
	cost     int64
	key      int32 // where requests are not decided under several
	slot     int32 // of the attempt
	client   int32
	server   int32
	next     int32 // the next request it asks about
	verdict  counter.Verdict
	decided  bool // before the store was asked
	gone     bool // its caller has an answer, or has gone on without one
	lost     bool // it will not be answered

	keys       []int32 // where requests are decided under several
	over       []int64 // by key, until when it is over its limit; where a cache wants to know
	request    int64   // the attempt's number; where requests may be split
	last       int32   // the last request it asks about, of calls that are joined
	connection int32   // the replica's epoch in which it took one to the store; 0 without one
}

const noCall = int32(-1)

// openRequest is a request that is split into calls: it passes when all of them
// say so.
type openRequest struct {
	number int64 // of the attempt, from 1; 0 once it has ended
	left   int32 // calls that have not been answered
}

// callTimer is when a call times out.
type callTimer struct {
	deadline int64
	ref      int32
}

// newCall is a call that asks about an attempt, under all its keys.
func (r *remotes) newCall(slot int32, a *engine.Attempt) int32 {
	ref := engine.Take(&r.calls, &r.free)
	c := &r.calls[ref]
	c.slot, c.key, c.cost, c.client, c.next = slot, a.Key, a.Cost, a.Client, noCall
	c.verdict, c.decided, c.gone, c.lost = 0, false, false, false
	if r.several {
		c.request = a.Index
	}
	if r.joint {
		c.keys = append(c.keys[:0], r.executor.Keys(slot)...)
	}
	if r.config.Cache {
		c.over = c.over[:0]
	}
	if r.config.Connections > 0 {
		c.connection = 0
	}
	return ref
}

// askedNothing reports whether a call is about a request that falls under no
// policy.
func (r *remotes) askedNothing(ref int32) bool { return len(r.calls[ref].keys) == 0 }

// release takes back a call that is over, with all it asked about.
func (r *remotes) release(ref int32) {
	for ref != noCall {
		c := &r.calls[ref]
		c.deadline = 0
		r.free = append(r.free, ref)
		ref = c.next
	}
}

// send puts a call on its way.
func (r *remotes) send(now int64, ref int32) {
	c := &r.calls[ref]
	c.deadline = engine.Never
	if r.config.Timeout > 0 {
		c.deadline = now + r.config.Timeout
		r.timers.Push(callTimer{c.deadline, ref})
		if !r.armed {
			r.armed = true
			r.executor.Schedule(c.deadline, callTimesOut, 0)
		}
	}
	if r.cut(now, c.client) {
		r.lose(now, ref)
		return
	}
	r.load.Call(now, int(c.server), r.entries(ref))
	way := r.latency(now, &r.network)
	if r.config.Sidecar.Name != "none" {
		way += r.sidecar.latency.Draw(&r.sidecar.stream)
	}
	c.back = way - way/2
	at := now + way/2
	switch {
	case !r.direct:
		r.executor.Schedule(at, callAtReplica, ref)
	case r.serverDown(at, c.server):
		r.lose(now, ref)
	default:
		c.came = at
		r.leaveForStore(at, ref)
	}
}

// entries is how many keys a call asks about.
func (r *remotes) entries(ref int32) (n int64) {
	if r.batch == nil && !r.joint {
		return 1
	}
	for ; ref != noCall; ref = r.calls[ref].next {
		n += max(1, int64(len(r.calls[ref].keys)))
	}
	return n
}

// latency is one draw for a hop at now.
func (r *remotes) latency(now int64, h *remoteHop) int64 {
	if r.faults.timeline != nil {
		if distribution, changed := r.faults.timeline.Latency(now); changed {
			return distribution.Draw(&h.stream)
		}
	}
	return h.latency.Draw(&h.stream)
}

// leaveForStore lets a call start from its replica at an instant that may be to
// come.
func (r *remotes) leaveForStore(at int64, ref int32) {
	c := &r.calls[ref]
	way := r.latency(at, &r.storeNetwork)
	c.wayBack = way - way/2
	r.executor.Schedule(at+way/2, callAtStore, ref)
}

// lose ends a call that no answer will come to. Its caller finds out by time.
func (r *remotes) lose(now int64, ref int32) {
	c := &r.calls[ref]
	c.lost = true
	if c.gone || c.deadline == engine.Never {
		r.hangUp(now, c)
	}
	if c.gone {
		r.release(ref)
	}
}

// loseAt is lose at an instant that may be to come.
func (r *remotes) loseAt(now, at int64, ref int32) {
	if at <= now {
		r.lose(now, ref)
	} else {
		r.executor.Schedule(at, callIsLost, ref)
	}
}

// reply sends a call's answer from its replica at an instant that may be to
// come. One that would be late is not sent at all: nobody waits for it.
func (r *remotes) reply(now, at int64, ref int32) {
	c := &r.calls[ref]
	if c.gone || at+c.back > c.deadline || r.stops(c.server, c.came, at) || r.cut(at, c.client) {
		r.lose(now, ref)
		return
	}
	r.executor.Schedule(at+c.back, callIsAnswered, ref)
}

func (r *remotes) answered(ref int32) {
	for at := ref; at != noCall; at = r.calls[at].next {
		c := &r.calls[at]
		r.settle(c, c.verdict)
	}
	r.release(ref)
}

// settle gives a request its answer. One that was split passes with the last
// answer, and is refused with the first refusal.
func (r *remotes) settle(c *remoteCall, v counter.Verdict) {
	if r.several {
		q := &r.requests[c.slot]
		if q.number != c.request+1 {
			return
		}
		if q.left--; v.Admitted() && q.left > 0 {
			return
		}
		q.number = 0
	}
	if v.Admitted() {
		r.executor.Admit(c.slot, v.Cause())
	} else {
		r.executor.Reject(c.slot, v.Cause())
	}
}

// timeOut lets the caller go on whose patience ends now; his call may be under
// way still. The next one's turn comes after what that has set off.
func (r *remotes) timeOut(now int64) {
	r.armed = false
	for gone := false; r.timers.Len() > 0; r.timers.Pop() {
		t := *r.timers.Front()
		c := &r.calls[t.ref]
		if c.deadline != t.deadline || c.gone {
			continue // over before
		}
		if gone || t.deadline > now {
			r.armed = true
			r.executor.Schedule(t.deadline, callTimesOut, 0)
			return
		}
		gone = true
		r.goOn(now, t.ref)
	}
}

// unanswered is what comes of a request whose caller goes on without an answer.
func (r *remotes) unanswered() counter.Verdict {
	if r.config.FailClosed {
		return counter.MakeVerdict(false, counter.ByFailClosed)
	}
	return counter.MakeVerdict(true, counter.ByFailOpen)
}

// goOn lets the callers of a call go on without an answer.
func (r *remotes) goOn(now int64, ref int32) {
	v := r.unanswered()
	for at := ref; at != noCall; at = r.calls[at].next {
		c := &r.calls[at]
		if !r.several || r.requests[c.slot].number == c.request+1 {
			r.executor.TimedOut(c.slot)
		}
		r.settle(c, v)
	}
	c := &r.calls[ref]
	c.gone = true
	if !c.lost {
		return
	}
	r.hangUp(now, c)
	r.release(ref)
}
