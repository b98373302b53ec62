package bounds

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	web "github.com/limitgauge/limitgauge/live/targets/http"
)

// overHTTP sends a run to an HTTP server on loopback. The server closes the connection
// instead of answering the requests in lost, after it has decided them.
func overHTTP(ctx context.Context, s *studied) (virtual, error) {
	start := time.Now()
	limiter := s.limiter(func() int64 { return int64(time.Since(start)) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.ParseInt(r.URL.Query().Get("i"), 10, 64)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		admitted := limiter.decide(number)
		switch {
		case s.lost[number]:
			panic(http.ErrAbortHandler)
		case !admitted:
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer server.Close()
	target, err := web.Kind().Open(ctx, &targets.Setting{
		Addresses: []string{server.URL + "/?i={i}"}, Clients: clients, Lookup: func(string) (string, bool) { return "", false },
	}, nil)
	if err != nil {
		return virtual{}, err
	}
	defer target.Close()
	r, err := s.send(ctx, target)
	if err != nil {
		return virtual{}, err
	}
	limiter.mu.Lock() // a request that the sender gave up may still be decided
	defer limiter.mu.Unlock()
	return s.logged(r, limiter.log, int64(start.Sub(r.Start)))
}

// send sends the planned requests of a run to a target.
func (s *studied) send(ctx context.Context, target exchange.Target) (*send.Result, error) {
	return send.Run(ctx, s.planned, target, send.Options{Failures: len(s.planned) + 1})
}
