package libraries

import (
	"context"
	"io"
	"strconv"
	"sync"
	"testing/synctest"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
)

// call is one request of a session. Times count from the start of the session.
type call struct {
	atNs int64
	key  int
	cost int64
}

// answer is what a limiter did with a call. A call that blocks is answered at the
// instant at which it returns.
type answer struct {
	admit bool
	atNs  int64
}

// alignment is a multiple of every window, so that calendar windows begin with
// the session.
const alignment = time.Hour

// play makes the calls to limiters of the policy and returns the answers.
// It must run in a bubble, so that it takes no real time.
func play(l library, p gauge.Policy, calls []call) []answer {
	now := time.Now()
	time.Sleep(now.Truncate(alignment).Add(alignment).Sub(now))
	start := time.Now()
	limiters := map[int]any{}
	defer func() {
		for _, limiter := range limiters {
			if c, ok := limiter.(io.Closer); ok {
				c.Close()
			}
		}
	}()
	answers := make([]answer, len(calls))
	var wait sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for i, c := range calls {
		time.Sleep(time.Until(start.Add(time.Duration(c.atNs))))
		instance, key := c.key, "key "+strconv.Itoa(c.key)
		if l.keyed {
			instance = 0
		}
		if limiters[instance] == nil {
			limiters[instance] = l.make(p)
		}
		switch limiter := limiters[instance].(type) {
		case gauge.Limiter:
			answers[i] = answer{limiter.Take(time.Now(), key, c.cost), c.atNs}
		case gauge.Waiter:
			wait.Go(func() {
				err := limiter.Wait(ctx, key, c.cost)
				answers[i] = answer{err == nil, int64(time.Since(start))}
			})
			synctest.Wait() // calls of one instant come in this order
		}
	}
	wait.Wait()
	return answers
}
