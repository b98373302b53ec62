package gauge

import (
	"errors"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// decider decides on arrival for one client.
type decider interface {
	decide(now time.Time, r *outside.Request, a *outside.Answer)
	level(now time.Time, key string, cost int64) (level int64, wait time.Duration)
	names(key string) bool
	close() error
}

// takers are limiters that decide on arrival.
type takers struct{ *limiters[Limiter] }

func (l takers) decide(now time.Time, r *outside.Request, a *outside.Answer) {
	limiter := l.of(r.Key)
	a.Admit, a.RetryAtNs = limiter.Take(now, r.Key, r.Cost), 0
	if a.Admit || l.row.as == "" {
		return
	}
	if x, ok := limiter.(RetryAfterer); ok {
		if wait := x.RetryAfter(now, r.Key, r.Cost); wait >= 0 {
			a.RetryAtNs = retryAt(r.AtNs, wait)
		}
	}
}

// reservers are limiters that return the delay of a request.
type reservers struct{ *limiters[Reserver] }

func (l reservers) decide(now time.Time, r *outside.Request, a *outside.Answer) {
	delay, ok := l.of(r.Key).Reserve(now, r.Key, r.Cost)
	delay = max(0, delay)
	if limit := l.policy.MaxWait; !ok || limit > 0 && delay > limit {
		a.Admit, a.WaitNs = false, 0
		return
	}
	a.Admit, a.WaitNs = true, int64(delay)
}

// newDeciders returns the limiters of a trial by client.
func newDeciders(r *Row, p *outside.Program) []decider {
	list := make([]decider, p.Instances)
	for i := range list {
		if policy := policyOf(p, i, r.maxWait); r.kind == reserves {
			list[i] = reservers{newLimiters(r, policy, func(made any) Reserver { return made.(Reserver) })}
		} else {
			list[i] = takers{newLimiters(r, policy, func(made any) Limiter { return made.(Limiter) })}
		}
	}
	return list
}

// silent is a fleet whose limiters do not name the time to retry after: it is no
// outside.Leveler.
type silent struct{ outside.Fleet }

// directFleet calls limiters that take the time as an argument.
type directFleet struct {
	times    virtual
	clients  []decider
	finished bool
}

func newDirectFleet(r *Row, p *outside.Program, times virtual) (f *directFleet, err error) {
	err = guarded(func() { f = &directFleet{times: times, clients: newDeciders(r, p)} })
	return f, err
}

func (f *directFleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	if err := f.times.check(requests[len(requests)-1].AtNs); err != nil {
		return err
	}
	return guarded(func() {
		for i := range requests {
			r := &requests[i]
			f.clients[r.Client].decide(f.times.time(r.AtNs), r, &answers[i])
		}
	})
}

func (f *directFleet) Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64) {
	wait := time.Duration(-1)
	if guarded(func() { level, wait = f.clients[client].level(f.times.time(atNs), key, cost) }) != nil {
		level = engine.UnknownLevel
	}
	return level, retryAt(atNs, wait)
}

func (f *directFleet) Close() error {
	if f.finished {
		return nil
	}
	f.finished = true
	return closeAll(f.clients)
}

// closeAll closes the limiters of all clients. It returns the first error.
func closeAll[L interface{ close() error }](clients []L) (err error) {
	for _, l := range clients {
		var failed error
		if panicked := guarded(func() { failed = l.close() }); panicked != nil {
			failed = panicked
		}
		if err == nil && failed != nil {
			err = fmt.Errorf("close the limiter: %w", failed)
		}
	}
	return err
}

// guarded calls f and returns an error if it panics.
func guarded(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	f()
	return nil
}

// errExited is the error of a call that ended its goroutine: guarded does not return then.
var errExited = errors.New("the limiter ended its goroutine, as t.FailNow and t.SkipNow do")

// panicked returns the error of a panic in code of a limiter.
func panicked(p any) error {
	switch e := p.(type) {
	case *badAnswer:
		return e
	case *brokenCall:
		return e.err
	}
	return fmt.Errorf("the limiter panicked: %v\n\n%s", p, panicStack())
}
