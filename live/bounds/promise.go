package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

type promise struct {
	due     int64
	client  int32
	refused int // the place of the refusal among the requests of the key
}

// promisesOf returns what became of the waits that a limiter promised to be enough, such
// as in the header Retry-After, or nil if it promised none. A promise is due at the
// receipt of the refusal plus the wait. Its unit is the step in which it is stated; a
// promise that was rounded down is due up to one unit later.
//
// Held, Taken and Broken count the promises that were tested: the first request of the
// same key and of at most the same cost that was sent when the promise was due, or
// up to a unit (at least 1 % of the window) later, was admitted or rejected. An
// admitted request proves one promise, the one that was due first. A promise is Taken
// if its test was rejected after another request of the key may have been admitted since
// the refusal: the limiter had promised the same to several. A
// rejected test sent within the unit neither breaks nor keeps it: TooEarly, unless the
// first request after the unit is rejected, too, or what it was promised proved the
// promise of another. The others were not tested.
//
// EarlyMedianNs and EarlyMostNs are of how long before a promise was due the key was first
// admitted again after the refusal, over all promises after which it was; below 0, it was
// only admitted later. AtOnce is the most clients whose promises to the same key were due
// within 1 % of the window (at least 1 ms).
func promisesOf(records []*record, width int64) *results.LivePromises {
	var p results.LivePromises
	var early []int64
	clients := map[int32]bool{}
	for _, r := range records {
		var made []promise
		firstAfter, lastUntil := admittedAfter(r.asked), admittedUntil(r.asked)
		for i, e := range r.asked {
			if e.Verdict != exchange.Rejected || e.RetryAfterNs < 0 || e.RetryAfterNs > latest {
				continue
			}
			due := e.AnsweredNs + e.RetryAfterNs
			made = append(made, promise{due, e.Client, i})
			clients[e.Client] = true
			if at := firstAfter[i+1]; at != never {
				early = append(early, due-at)
			}
		}
		slices.SortStableFunc(made, func(a, b promise) int { return cmp.Compare(a.due, b.due) })
		proved := proofs{all: map[*exchange.Exchange]bool{}}
		for _, m := range made {
			e := r.asked[m.refused]
			proved.test(&p, r.asked[m.refused+1:], e, m.due, width, func(before int64) bool {
				sent, _ := slices.BinarySearchFunc(r.asked, before+1, bySent)
				return lastUntil[sent] >= e.SentNs
			})
		}
		p.Made += len(made)
		p.AtOnce = max(p.AtOnce, atOnce(made, max(width/100, 1e6)))
	}
	if p.Made == 0 {
		return nil
	}
	p.Clients = len(clients)
	if n := len(early); n > 0 {
		slices.Sort(early)
		p.EarlyMedianNs, p.EarlyMostNs = early[n/2], early[n-1]
	}
	return &p
}

func bySent(e *exchange.Exchange, t int64) int { return cmp.Compare(e.SentNs, t) }

// test tries a promise on the requests that were sent after its refusal, without those that
// proved an earlier one. taken reports whether another one may have been admitted since the
// refusal and before a time.
func (proved *proofs) test(p *results.LivePromises, rest []*exchange.Exchange, refused *exchange.Exchange, due, width int64, taken func(before int64) bool) {
	unit := min(max(refused.RetryUnitNs, 0), latest)
	within := max(unit, width/100)
	first := firstTest(rest, refused, due, within, proved)
	early := first != nil && first.Verdict == exchange.Rejected && first.SentNs < due+unit
	last := first
	if early {
		last = firstTest(rest, refused, due+unit, within, proved)
	}
	switch {
	case first != nil && first.Verdict == exchange.Admitted:
		p.Held++
		proved.add(first)
	case last != nil && last.Verdict == exchange.Rejected && !taken(last.AnsweredNs):
		p.Broken++
	case early && !proved.since(refused, first):
		p.TooEarly++
	case last != nil && last.Verdict == exchange.Rejected, early:
		p.Taken++
	}
}

// proofs are the admitted requests of a key that proved a promise, and the last of them.
type proofs struct {
	all  map[*exchange.Exchange]bool
	last *exchange.Exchange
}

func (p *proofs) add(e *exchange.Exchange) { p.all[e], p.last = true, e }

// since reports whether the last one may have been admitted between the refusal that made a
// promise and the request that tested it. What several were promised was then there.
func (p *proofs) since(refused, test *exchange.Exchange) bool {
	return p.last != nil && p.last.AnsweredNs >= refused.SentNs && p.last.SentNs <= test.AnsweredNs
}

// firstTest returns the first request with a verdict that costs at most what the refused
// one did and proved nothing yet, of those that were sent from a time until within ns
// later, or nil.
func firstTest(rest []*exchange.Exchange, refused *exchange.Exchange, from, within int64, proved *proofs) *exchange.Exchange {
	i, _ := slices.BinarySearchFunc(rest, from, bySent)
	for ; i < len(rest) && rest[i].SentNs <= from+within; i++ {
		if e := rest[i]; e.Cost <= refused.Cost && e.Verdict != exchange.Failed && !proved.all[e] {
			return e
		}
	}
	return nil
}

// admittedAfter returns, for each place and the end, when the first request from
// there on that was admitted was sent, or never.
func admittedAfter(asked []*exchange.Exchange) []int64 {
	at := make([]int64, len(asked)+1)
	at[len(asked)] = never
	for i, e := range slices.Backward(asked) {
		at[i] = at[i+1]
		if e.Verdict == exchange.Admitted {
			at[i] = e.SentNs
		}
	}
	return at
}

// admittedUntil returns, for each number of requests in the order of sending, when the
// last answer to one of them that was or may have been admitted came, or -1.
func admittedUntil(asked []*exchange.Exchange) []int64 {
	at := make([]int64, 1, len(asked)+1)
	at[0] = -1
	for i, e := range asked {
		last := at[i]
		if e.Verdict != exchange.Rejected {
			last = max(last, e.AnsweredNs)
		}
		at = append(at, last)
	}
	return at
}

// atOnce returns the largest number of clients with promises, in the order in which they
// are due, that are due within some span of ns.
func atOnce(made []promise, ns int64) int {
	held := map[int32]int{}
	most, first := 0, 0
	for _, m := range made {
		held[m.client]++
		for ; made[first].due < m.due-ns; first++ {
			c := made[first].client
			if held[c]--; held[c] == 0 {
				delete(held, c)
			}
		}
		most = max(most, len(held))
	}
	return most
}
