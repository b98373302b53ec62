package gauge

import (
	"context"
	"errors"
	"fmt"
	"testing"
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

// fleet calls limiters that decide on arrival, one call after another.
type fleet struct {
	place
	clients []decider
	key     probeKey
}

// tookTime ends a trial of a fleet, in which calls do not overlap: virtual time has
// passed during a call, although it did not during those of the probe.
type tookTime struct {
	key  probeKey
	took time.Duration
}

func (e *tookTime) Error() string {
	return fmt.Sprintf("one call takes no virtual time and another %v: only calls that all take the same are compared one by one", e.took)
}

func newFleet(ctx context.Context, t *testing.T, r *Row, p *outside.Program, times virtual, from clock) (*fleet, error) {
	where, err := newPlace(ctx, t, r, times, from)
	if err != nil {
		return nil, err
	}
	f := &fleet{place: where, key: probeKey{r.name, p.Limit}}
	if err := f.run(p.OriginNs, func() { f.clients = newDeciders(r, p) }); err != nil {
		f.close(nil)
		return nil, err
	}
	return f, nil
}

func (f *fleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	slow := tookTime{key: f.key}
	err := f.run(requests[len(requests)-1].AtNs, func() {
		for i := 0; i < len(requests) && slow.took == 0; i++ {
			r := &requests[i]
			now := f.sleepUntil(r.AtNs)
			f.clients[r.Client].decide(now, r, &answers[i])
			slow.took = f.since(now)
		}
	})
	if err == nil && slow.took > 0 {
		return &slow
	}
	return err
}

func (f *fleet) Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64) {
	var wait time.Duration
	if f.run(atNs, func() { level, wait = f.clients[client].level(f.sleepUntil(atNs), key, cost) }) != nil {
		return engine.UnknownLevel, retryAt(atNs, -1)
	}
	return level, retryAt(atNs, wait)
}

func (f *fleet) Close() error { return f.close(func() error { return closeAll(f.clients) }) }

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
	if broken, ok := p.(*brokenCall); ok {
		return broken.err
	}
	return fmt.Errorf("the limiter panicked: %v\n\n%s", p, panicStack())
}
