package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/settlement"
)

// settling settles the costs of requests at their clients: each client keeps the book of
// the requests that it has admitted, and reports corrections with its other counts.
type settling struct {
	books  []*settlement.Book // by client
	events engine.Pool[bookEvent]
}

// bookEvent is an event of a client's book.
type bookEvent struct {
	client, reservation int32
	what                settlement.Event
}

// clientCounters is what one client counts.
type clientCounters struct {
	*reported
	id int32
}

func (c clientCounters) Correct(key int32, now, taken, tokens int64, debt bool) {
	client := c.clients[c.id]
	client.Correct(key, now, taken, tokens, debt)
	c.tick(now-1, c.id) // answers come before the reports of their instant
}

// CountsUntil returns the longest time over the policies.
func (c clientCounters) CountsUntil(taken int64) (until int64) {
	config := &c.codeOf(c.id).config
	for i := range 1 + len(config.Further) {
		until = max(until, config.CountsUntil(i, taken))
	}
	return until
}

// startSettling gives every client a book, if costs become known with the answer.
func (r *reported) startSettling(t *engine.Trial) {
	for id := range r.phases {
		own := *t
		own.Algorithm = t.Algorithm.Stages()[id/t.Clients()]
		counters := clientCounters{r, int32(id)}
		book := settlement.NewBook(&own, counters)
		if id%t.Clients() > 0 {
			book = r.settling.books[len(r.settling.books)-1].Another(counters)
		}
		book.Schedule = func(at int64, what settlement.Event, ref int32) {
			kind := bookDue
			if what == settlement.Answered {
				kind = answerArrives
			}
			r.agenda.Schedule(at, kind, r.settling.events.Add(bookEvent{client: int32(id), reservation: ref, what: what}))
		}
		r.settling.books = append(r.settling.books, book)
	}
}

// decideCharge decides one arrival whose cost is not known.
func (r *reported) decideCharge(a *engine.Arrivals, i int) counting.Verdict {
	now, id, keys := a.Time[i], a.Client[i], a.Keys(i)
	client, book := r.clients[id], r.settling.books[id]
	charge := book.Charge(keys, a.Estimate[i])
	v := client.DecideCharge(now, keys, charge, a.Estimate[i], &r.codeOf(id).coin)
	if computedAt, ok := client.LatestAnswer(); ok {
		r.load.Staleness(now, now-computedAt)
	}
	if v.Admitted() && book.Corrects() && len(keys) > 0 {
		book.Dispatch(now, a.Answer[i], book.Open(now, keys, charge, a.Cost[i]))
	}
	r.tick(now, id)
	return v
}

// runBook runs an event of a book.
func (r *reported) runBook(now int64, ref int32) {
	e := *r.settling.events.At(ref)
	r.settling.events.Release(ref)
	r.settling.books[e.client].Happen(now, e.what, e.reservation)
}
