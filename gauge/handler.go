package gauge

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Handler returns a Limiter that decides by the answers of an HTTP handler: it rejects
// with 429 or 503, and admits with any status below 400. Another status ends the run
// with an error, because it says nothing about a limit. The header Retry-After is the
// time to retry after. request makes the request of a key and cost, for example with
// httptest.NewRequest and the header by which the handler knows the caller.
//
// The handler is called in this process. Most middleware reads the clock and so runs
// in a bubble.
func Handler(h http.Handler, request func(key string, cost int64) *http.Request) Limiter {
	l := &handlerLimiter{handler: h, request: request}
	l.last.Store(&answer{})
	return l
}

// WaitingHandler returns a Waiter for an HTTP handler that delays requests over the
// limit. It rejects and admits as Handler does, when the handler returns.
func WaitingHandler(h http.Handler, request func(key string, cost int64) *http.Request) Waiter {
	return WaitFunc(func(ctx context.Context, key string, cost int64) error {
		a := answer{header: http.Header{}}
		h.ServeHTTP(&a, request(key, cost).WithContext(ctx))
		if a.admits() {
			return nil
		}
		return fmt.Errorf("status %d", a.status)
	})
}

// handlerLimiter is the Limiter of a handler.
type handlerLimiter struct {
	handler http.Handler
	request func(key string, cost int64) *http.Request
	last    atomic.Pointer[answer]
}

func (l *handlerLimiter) Take(_ time.Time, key string, cost int64) bool {
	a := &answer{header: http.Header{}}
	l.handler.ServeHTTP(a, l.request(key, cost))
	l.last.Store(a)
	return a.admits()
}

// RetryAfter returns what the last answer said. The engine asks right after it.
func (l *handlerLimiter) RetryAfter(now time.Time, _ string, _ int64) time.Duration {
	text := l.last.Load().header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}

// answer is an http.ResponseWriter that keeps status and header.
type answer struct {
	header http.Header
	status int
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return len(text), nil
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

// admits reports whether the answer is that to an admitted request. It panics if the
// answer says nothing about a limit.
func (a *answer) admits() bool {
	switch {
	case a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable:
		return false
	case a.status < http.StatusBadRequest:
		return true
	}
	panic(&brokenCall{fmt.Errorf("the handler answered with status %d (%s): want below 400 if it admits, 429 or 503 if it rejects",
		a.status, http.StatusText(a.status))})
}
