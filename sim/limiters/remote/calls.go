package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// remoteCall is a call of a client to a replica about a request, or about some of
// its keys. A call about more requests links to calls about the others, which are
// never sent by themselves.
//
// It fills two cache lines. The second is not used if requests have one key each
// and replicas have neither a cache nor a limit of connections.
type remoteCall struct {
	deadline  int64 // when its caller stops waiting; 0 after the call has ended
	back      int64 // ns from the replica to the client
	storeBack int64 // ns from the store to the replica
	arrived   int64 // when it arrived at the replica
	cost      int64
	key       [1]int32 // unless requests are decided jointly
	slot      int32    // of the attempt
	client    int32
	server    int32
	next      int32 // the call about the next request
	verdict   counting.Verdict
	decided   bool // by the replica's cache
	gone      bool // its caller has stopped waiting
	lost      bool // it will get no response

	keys       []int32 // if requests are decided jointly
	over       []int64 // by key, for a cache: until when it is over its limit
	request    int64   // the attempt's number, if requests may be split
	last       int32   // the call about the last request
	connection int32   // the replica's epoch in which it took a connection to the store; 0 without one
}

const noCall = int32(-1)

// openRequest is a request that is split into calls. It is admitted if all of
// them admit it.
type openRequest struct {
	number int64 // of the attempt, from 1; 0 once it has ended
	left   int32 // calls in flight

	held []notice // parts that have been admitted, if costs are settled
}

// callTimer is the timeout of a call.
type callTimer struct {
	deadline int64
	ref      int32
}

// newCall returns a call about an attempt and all its keys.
func (r *remotes) newCall(slot int32, a *engine.Attempt) int32 {
	ref := r.calls.Take()
	c := r.calls.At(ref)
	c.slot, c.key[0], c.cost, c.client, c.next = slot, a.Key, a.Cost, a.Client, noCall
	c.verdict, c.decided, c.gone, c.lost = 0, false, false, false
	if r.multiPolicy {
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
	if r.settling != nil {
		c.cost = r.settling.begin(ref, slot, a.Cost, r.executor)
	}
	return ref
}

// keys returns the keys of the request that a call is about.
func (r *remotes) keys(c *remoteCall) []int32 {
	if r.joint {
		return c.keys
	}
	return c.key[:]
}

// askedNothing reports whether a call is about a request that matches no policy.
func (r *remotes) askedNothing(ref int32) bool { return len(r.calls.At(ref).keys) == 0 }

// release frees a call that has ended, with those linked to it.
func (r *remotes) release(ref int32) {
	for ref != noCall {
		c := r.calls.At(ref)
		c.deadline = 0
		if r.settling != nil {
			r.settling.forget(ref)
		}
		r.calls.Release(ref)
		ref = c.next
	}
}

// send sends a call.
func (r *remotes) send(now int64, ref int32) {
	c := r.calls.At(ref)
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
	ns := r.network.Latency(now)
	if r.config.Sidecar.Name != "none" {
		ns += r.sidecar.Latency(now)
	}
	c.back = ns - ns/2
	at := now + ns/2
	switch {
	case !r.direct:
		r.executor.Schedule(at, callAtReplica, ref)
	case r.serverDown(at, c.server):
		r.lose(now, ref)
	default:
		c.arrived = at
		r.callStore(at, ref)
	}
}

// entries returns the number of keys that a call asks about.
func (r *remotes) entries(ref int32) (n int64) {
	if r.batch == nil && !r.joint {
		return 1
	}
	for ; ref != noCall; ref = r.calls.At(ref).next {
		n += int64(len(r.keys(r.calls.At(ref))))
	}
	return n
}

// callStore sends a call from its replica to the store at a time that may be in
// the future.
func (r *remotes) callStore(at int64, ref int32) {
	c := r.calls.At(ref)
	there, back := r.storeNetwork.RoundTrip(at)
	c.storeBack = back
	r.executor.Schedule(at+there, callAtStore, ref)
}

// lose ends a call that gets no response. Its caller waits for the timeout.
func (r *remotes) lose(now int64, ref int32) {
	c := r.calls.At(ref)
	c.lost = true
	if c.gone || c.deadline == engine.Never {
		r.hangUp(now, c)
	}
	if c.gone {
		r.release(ref)
	}
}

// loseAt is lose at a time that may be in the future.
func (r *remotes) loseAt(now, at int64, ref int32) {
	if at <= now {
		r.lose(now, ref)
	} else {
		r.executor.Schedule(at, callIsLost, ref)
	}
}

// reply sends the response from a replica at a time that may be in the future. A
// response that would be late is not sent.
func (r *remotes) reply(now, at int64, ref int32) {
	c := r.calls.At(ref)
	if c.gone || at+c.back > c.deadline || r.stops(c.server, c.arrived, at) || r.cut(at, c.client) {
		r.lose(now, ref)
		return
	}
	r.executor.Schedule(at+c.back, callIsAnswered, ref)
}

func (r *remotes) answered(now int64, ref int32) {
	for at := ref; at != noCall; at = r.calls.At(at).next {
		r.settle(now, at, r.calls.At(at).verdict, true)
	}
	r.release(ref)
}

// settle ends a request. A request that was split is admitted by the last
// response, or rejected by the first one that rejects it. answered is false if the
// client has no response.
func (r *remotes) settle(now int64, ref int32, v counting.Verdict, answered bool) {
	c := r.calls.At(ref)
	var q *openRequest
	if r.multiPolicy {
		if q = &r.requests[c.slot]; q.number != c.request+1 {
			return
		}
	}
	if r.settling != nil && v.Admitted() {
		r.hold(now, ref, q, answered)
	}
	if q != nil {
		if q.left--; v.Admitted() && q.left > 0 {
			return
		}
		q.number = 0
	}
	if r.settling != nil && q != nil {
		r.endHeld(now, ref, q, v)
	}
	r.executor.Settle(c.slot, v)
}

// timeOut ends the wait of the caller whose timeout is now. Its call may still be
// in flight. The next caller follows after the events that this one causes.
func (r *remotes) timeOut(now int64, _ int32) {
	r.armed = false
	for gone := false; r.timers.Len() > 0; r.timers.Pop() {
		t := *r.timers.Front()
		c := r.calls.At(t.ref)
		if c.deadline != t.deadline || c.gone {
			continue // has ended before
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

// goOn ends the wait of the callers of a call.
func (r *remotes) goOn(now int64, ref int32) {
	v := counting.Unanswered(!r.config.FailClosed)
	for at := ref; at != noCall; at = r.calls.At(at).next {
		c := r.calls.At(at)
		if !r.multiPolicy || r.requests[c.slot].number == c.request+1 {
			r.executor.TimedOut(c.slot)
		}
		r.settle(now, at, v, false)
	}
	c := r.calls.At(ref)
	c.gone = true
	if !c.lost {
		return
	}
	r.hangUp(now, c)
	r.release(ref)
}
