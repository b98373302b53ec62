package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	claims "github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// settling settles the costs of a remote limiter's requests. The store or the owner
// charges a request when it decides. When the answer has arrived, the client sends a
// notice of the actual cost, which nobody waits for and nobody repeats.
type settling struct {
	book    *settlement.Book
	calls   []unsettled // by call
	notices engine.Pool[notice]
}

// unsettled is what a call knows of the cost of its request.
type unsettled struct {
	cost, answer int64
	reservation  int32 // noReservation unless the limiter has made one
}

const noReservation = int32(-1)

// notice is a client's message about the actual cost of a request.
type notice struct{ reservation, client, server, key int32 }

func newSettling(t *engine.Trial, r *remotes) *settling {
	var counters settlement.Counters = r.store
	if r.memory != nil {
		counters = remote.Owned{Memory: r.memory}
	}
	book := settlement.NewBook(t, counters)
	book.Schedule = func(at int64, what settlement.Event, ref int32) {
		r.executor.Schedule(at, reservationLapses+uint32(what-settlement.Lapses), ref)
	}
	return &settling{book: book}
}

// begin notes the cost of a new call's request, and returns its estimate.
func (s *settling) begin(ref, slot int32, cost int64, executor *engine.EventExecutor) (estimate int64) {
	estimate, answer := executor.Estimate(slot)
	s.copy(ref, unsettled{cost, answer, noReservation})
	return estimate
}

func (s *settling) copy(ref int32, u unsettled) {
	s.calls = lists.Reach(s.calls, ref)
	s.calls[ref] = u
}

// take decides about a request of a call under these keys.
func (s *settling) take(joint counting.Joint, t counting.Taker, ref int32, keys []int32, now, estimate int64) counting.Verdict {
	charge := s.book.Charge(keys, estimate)
	v := s.book.Take(joint, t, keys, now, charge)
	if u := &s.calls[ref]; v.Admitted() && s.book.Corrects() {
		u.reservation = s.book.Open(now, keys, charge, u.cost)
	}
	return v
}

// forget ends a call. A reservation that its client does not know of is never settled.
func (s *settling) forget(ref int32) {
	if u := &s.calls[ref]; u.reservation != noReservation {
		s.book.Lose(u.reservation)
		u.reservation = noReservation
	}
}

// known returns the reservation of a call whose response has reached its client. It
// belongs to the client from then on.
func (s *settling) known(ref int32) int32 {
	u := &s.calls[ref]
	known := u.reservation
	u.reservation = noReservation
	return known
}

// deducts returns a reservation of nothing for a request that is admitted without a
// response, if the client deducts its cost later whatever the limiter knows of it.
func (s *settling) deducts(now int64, ref int32, keys []int32) int32 {
	if s.book.Way() != claims.CheckThenDeduct {
		return noReservation
	}
	return s.book.Open(now, keys, 0, s.calls[ref].cost)
}

// dispatch schedules the notice about a request that is dispatched at now.
func (r *remotes) dispatch(now int64, n notice, answer int64) {
	if r.settling.book.Lost() {
		r.settling.book.Lose(n.reservation)
		return
	}
	r.executor.Schedule(integers.Add(now, answer), answerArrives, r.settling.notices.Add(n))
}

// hold takes over the reservation of an admitted call. The parts of a split request wait
// until the request is admitted.
func (r *remotes) hold(now int64, ref int32, q *openRequest, answered bool) {
	c := r.calls.At(ref)
	var reservation int32
	if answered {
		reservation = r.settling.known(ref)
	} else {
		reservation = r.settling.deducts(now, ref, r.keys(c))
	}
	if reservation == noReservation {
		return
	}
	n := notice{reservation: reservation, client: c.client, key: r.keys(c)[0]}
	if q != nil {
		q.held = append(q.held, n)
		return
	}
	r.dispatch(now, n, r.settling.calls[ref].answer)
}

// endHeld dispatches the parts of a request that has been decided, or gives them up.
func (r *remotes) endHeld(now int64, ref int32, q *openRequest, v counting.Verdict) {
	for _, n := range q.held {
		if v.Admitted() {
			r.dispatch(now, n, r.settling.calls[ref].answer)
		} else {
			r.settling.book.Lose(n.reservation)
		}
	}
	q.held = q.held[:0]
}

// notify sends a notice.
func (r *remotes) notify(now int64, ref int32) {
	n := r.settling.notices.At(ref)
	if r.cut(now, n.client) {
		r.dropNotice(ref)
		return
	}
	n.server = r.route(now, n.client, n.key)
	r.load.Call(now, int(n.server), 1)
	ns := r.network.Latency(now)
	if r.config.Sidecar.Name != "none" {
		ns += r.sidecar.Latency(now)
	}
	r.executor.Schedule(now+ns/2, noticeAtReplica, ref)
}

func (r *remotes) noticeAtReplica(now int64, ref int32) {
	n := r.settling.notices.At(ref)
	server := &r.replicas[n.server]
	begin := server.queue.Begin(now)
	if r.serverDown(now, n.server) || r.stops(n.server, now, begin) {
		r.dropNotice(ref)
		return
	}
	_, end := server.queue.Serve(now, r.slow(begin, r.service.Draw()))
	switch {
	case r.store != nil:
		there, _ := r.storeNetwork.RoundTrip(end)
		r.executor.Schedule(end+there, noticeAtStore, ref)
	case r.owners.Takes(begin, n.key, n.server):
		r.settled(begin, ref)
	default:
		r.dropNotice(ref)
	}
}

func (r *remotes) noticeAtStore(now int64, ref int32) {
	begin := r.queue.Begin(now)
	if begin >= r.storeDown {
		r.timeline.StoreFails(r.storeDown)
		r.dropNotice(ref)
		return
	}
	r.load.StoreWait(begin, begin-now)
	begin, _ = r.queue.Serve(now, r.slow(begin, r.storeService.Draw()))
	r.load.StoreOp(begin, r.config.Commands)
	r.timeline.Written(begin)
	r.settled(begin, ref)
}

func (r *remotes) settled(now int64, ref int32) {
	r.settling.book.Settle(now, r.settling.notices.At(ref).reservation)
	r.settling.notices.Release(ref)
}

func (r *remotes) dropNotice(ref int32) {
	r.settling.book.Lose(r.settling.notices.At(ref).reservation)
	r.settling.notices.Release(ref)
}
