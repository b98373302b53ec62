//go:build network && unix

package measured

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/live/bounds"
)

// goServer returns a measurement of HTTP servers with golang.org/x/time/rate.
func goServer(scenario string, addresses ...string) measurement {
	m := measurement{scenario: scenario, target: "http", figure: "over_limit_pct"}
	for _, a := range addresses {
		m.address = append(m.address, "http://"+a+newKey)
	}
	return m
}

var (
	goOne    = goServer("one Go server", "127.0.0.1:8090").keeps()
	goThree  = goServer("three copies", "127.0.0.1:8091", "127.0.0.1:8092", "127.0.0.1:8093").over()
	goLossy  = goServer("one answer in a hundred is lost", "127.0.0.1:8090").lossy()
	goFrozen = goServer("a Go server stands still", "127.0.0.1:8090").unknown()
)

// lossy returns a measurement of a correct limiter whose answers are lost.
func (m measurement) lossy() measurement {
	m.want, m.never = []bounds.Outcome{bounds.Kept, bounds.Unknown}, []bounds.Outcome{bounds.Broken}
	return m
}

// decide returns a handler with a limiter of 20/s with a burst of 10 for each key.
func decide() http.HandlerFunc {
	var limiters sync.Map
	return func(w http.ResponseWriter, r *http.Request) {
		limiter, _ := limiters.LoadOrStore(r.URL.Query().Get("key"), rate.NewLimiter(20, 10))
		if !limiter.(*rate.Limiter).Allow() {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}
}

func TestGoServers(t *testing.T) {
	t.Parallel()
	starting(t)
	t.Run("one", func(t *testing.T) {
		t.Parallel()
		goOne.run(t, nil, serve(t, decide()))
	})
	t.Run("three copies", func(t *testing.T) {
		t.Parallel()
		goThree.run(t, nil, serve(t, decide()), serve(t, decide()), serve(t, decide()))
	})
	t.Run("lost answers", func(t *testing.T) {
		t.Parallel()
		limited := decide()
		var asked atomic.Int64
		goLossy.run(t, nil, serve(t, func(w http.ResponseWriter, r *http.Request) {
			limited(w, r)
			if asked.Add(1)%100 == 0 {
				panic(http.ErrAbortHandler)
			}
		}))
	})
	t.Run("frozen", func(t *testing.T) {
		t.Parallel()
		limited := decide()
		var frozen sync.RWMutex
		goFrozen.run(t, func() {
			frozen.Lock()
			time.AfterFunc(1500*time.Millisecond, frozen.Unlock)
		}, serve(t, func(w http.ResponseWriter, r *http.Request) {
			frozen.RLock()
			defer frozen.RUnlock()
			limited(w, r)
		}))
	})
}
