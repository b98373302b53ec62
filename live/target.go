package live

import (
	"context"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// Request is one request to a limiter.
type Request struct {
	Number int64 // from 0, in the order of time
	Key    string
	Tenant string
	Client int // which caller sends it, from 0
	Cost   int64
}

// Verdict is the decision on one request.
type Verdict struct {
	Admit bool
	Wait  time.Duration // of an admitted request: how long it still waits before it may go
	// RetryAfter is the wait that the limiter promises to be enough, and RetryUnit the
	// unit in which it states it. 0 is no promise.
	RetryAfter, RetryUnit time.Duration
}

// Target is a limiter.
type Target interface {
	// Ask decides one request. It is called by many goroutines at a time, must return
	// when ctx ends, and must ask the limiter once. An error says that there is no
	// verdict; requests with errors of the same text are counted together.
	Ask(ctx context.Context, r Request) (Verdict, error)
}

// Func is a function that implements Target.
type Func func(ctx context.Context, r Request) (Verdict, error)

// Ask calls f.
func (f Func) Ask(ctx context.Context, r Request) (Verdict, error) { return f(ctx, r) }

// adapter makes an exchange.Target of a Target.
type adapter struct{ Target }

func (a adapter) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	v, err := a.Target.Ask(ctx, Request{Number: r.Number, Key: r.Key, Tenant: r.Tenant, Client: int(r.Client), Cost: r.Cost})
	answer := exchange.Plain(v.Admit)
	if err != nil {
		return answer, err
	}
	answer.WaitNs = int64(max(v.Wait, 0))
	if v.RetryAfter > 0 {
		answer.RetryAfterNs, answer.RetryUnitNs = int64(v.RetryAfter), int64(v.RetryUnit)
	}
	return answer, nil
}

func (a adapter) Close() error { return nil }
