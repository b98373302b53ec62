package send

import (
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// again sends a rejected request once more when its caller retries, unless that is after
// the end. It returns at once.
func (r *run) again(e *exchange.Exchange, first int64) {
	waitNs, again := r.Retry(e, first)
	at := e.AnsweredNs + waitNs
	if !again || at > r.EndNs {
		return
	}
	r.workers.Go(func() {
		select {
		case <-time.After(time.Duration(at - r.clock.now())):
		case <-r.halt:
			return
		}
		if next := r.retry(e, at); next != nil {
			r.call(next, first)
		}
	})
}

// retry plans a retry of a request. It returns nil if a cap holds it back.
func (r *run) retry(e *exchange.Exchange, at int64) *exchange.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := int64(len(r.exchanges) + len(r.retried))
	if r.closed || n >= r.Caps.Requests {
		return nil
	}
	next := &exchange.Exchange{Request: e.Request, Answer: exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated}
	next.Number, next.IntendedNs, next.Try = n, at, e.Try+1
	r.retried = append(r.retried, next)
	r.count.Planned++
	if r.count.InFlight >= r.Caps.InFlight {
		next.Failure = HeldBack
		r.count.HeldBack++
		return nil
	}
	return next
}

// overRate reports whether as many requests as the cap permits were sent in the second
// before a time. If not, it counts one more.
func (r *run) overRate(now int64) bool {
	for len(r.recent) > 0 && r.recent[0] <= now-1e9 {
		r.recent = r.recent[1:]
	}
	if int64(len(r.recent)) >= r.Caps.PerSecond {
		return true
	}
	r.recent = append(r.recent, now)
	return false
}
