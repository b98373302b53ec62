package http

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// values returns options by name.
func values(options map[string]any) catalog.Values {
	v := catalog.Values{}
	for name, value := range options {
		v[name] = catalog.Value{V: value, Given: true}
	}
	return v
}

func setting(urls ...string) *targets.Setting {
	return &targets.Setting{Addresses: urls, Clients: 3, Lookup: func(string) (string, bool) { return "", false }}
}

func opened(t *testing.T, s *targets.Setting, options map[string]any) exchange.Target {
	t.Helper()
	v := values(options)
	if !v.Set("timeout") {
		v["timeout"] = catalog.Value{V: int64(time.Minute)}
	}
	target, err := Kind().Open(t.Context(), s, v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

func serve(t *testing.T, handle http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

func planned(n int, gap time.Duration) []exchange.Exchange {
	all := make([]exchange.Exchange, n)
	for i := range all {
		all[i].Request = exchange.Request{Number: int64(i), IntendedNs: int64(i) * int64(gap), Key: "k", Client: int32(i % 3), Cost: 1}
	}
	return all
}

// TestKnownLimiter sends to a server that counts its own decisions.
func TestKnownLimiter(t *testing.T) {
	var seen, admitted atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch n := seen.Add(1); {
		case n%50 == 0:
			time.Sleep(100 * time.Millisecond) // a stall
			fallthrough
		case admitted.Load() < 120:
			admitted.Add(1)
		default:
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	target := opened(t, setting(url), nil)
	r, err := send.Run(t.Context(), planned(400, time.Millisecond/2), target, send.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var got [4]int64
	for _, e := range r.Exchanges {
		got[e.Verdict]++
		if e.Verdict == exchange.Rejected && e.RetryAfterNs != 2e9 {
			t.Errorf("%+v", e)
		}
	}
	if want := [4]int64{exchange.Admitted: admitted.Load(), exchange.Rejected: seen.Load() - admitted.Load()}; got != want || seen.Load() != 400 {
		t.Errorf("verdicts %v, the server saw %d and decided %v", got, seen.Load(), want)
	}
}

// resetting serves and counts requests. After it has read every third one, it resets or
// closes the connection.
func resetting(t *testing.T) (url string, seen *atomic.Int64) {
	seen = new(atomic.Int64)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		i := seen.Add(1)
		if i%3 > 0 {
			return
		}
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if i%2 == 0 {
			c.(*net.TCPConn).SetLinger(0)
		}
		c.Close()
	}), seen
}

func TestNothingIsRepeated(t *testing.T) {
	const n = 240
	for _, options := range []map[string]any{
		{}, {"method": "DELETE"}, {"method": "HEAD"}, {"method": "POST"}, {"method": "POST", "body": "{}", "headers": []any{"Idempotency-Key: {i}"}},
		{"headers": []any{"Idempotency-Key: {i}"}},
	} {
		url, seen := resetting(t)
		target := opened(t, setting(url), options)
		r, err := send.Run(t.Context(), planned(n, time.Millisecond/4), target, send.Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for _, e := range r.Exchanges {
			switch {
			case e.Verdict == exchange.Failed && (e.Failure == "connection reset" || e.Failure == "connection closed"):
				failed++
			case e.Verdict != exchange.Admitted:
				t.Errorf("%v: %+v", options, e)
			}
		}
		if seen.Load() != n || failed != n/3 {
			t.Errorf("%v: the server saw %d requests of %d, %d failed", options, seen.Load(), n, failed)
		}
	}
}

// TestNetHTTPRepeats checks that the server of TestNothingIsRepeated makes net/http
// repeat requests that are sent in the usual way.
func TestNetHTTPRepeats(t *testing.T) {
	url, seen := resetting(t)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for range 60 {
		if r, err := client.Get(url); err == nil {
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
		}
	}
	if seen.Load() <= 60 {
		t.Errorf("the server saw %d requests of 60, none was repeated", seen.Load())
	}
}

func TestVerdicts(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		for _, h := range q["h"] {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		status := 0
		fmt.Sscan(q.Get("s"), &status)
		w.WriteHeader(status)
		io.WriteString(w, q.Get("b"))
	})
	const none = exchange.Unstated
	field := map[string]any{"field": "responses[0].status", "field_admits": []any{"UNDER_LIMIT", "0"}}
	for _, c := range []struct {
		query   string
		options map[string]any
		admit   bool
		fails   string
	}{
		{"s=200", nil, true, ""},
		{"s=204", nil, true, ""},
		{"s=429", nil, false, ""},
		{"s=503&h=Retry-After: 1", nil, false, ""},
		{"s=503", nil, false, "status 503"},
		{"s=500", nil, false, "status 500"},
		{"s=404", nil, false, "status 404"},
		{"s=302&h=Location: /?s=200", nil, false, "status 302"},
		{"s=302&h=Location: /?s=500", map[string]any{"admitted": []any{int64(302)}}, true, ""},
		{"s=200", map[string]any{"admitted": []any{int64(302)}}, false, "status 200"},
		{"s=403", map[string]any{"rejected": []any{int64(403)}}, false, ""},
		{"s=429", map[string]any{"rejected": []any{int64(403)}}, false, "status 429"},
		{`s=200&b={"responses":[{"status":"UNDER_LIMIT"}]}`, field, true, ""},
		{`s=200&b={"responses":[{"status":0}]}`, field, true, ""},
		{`s=200&b={"responses":[{"status":"OVER_LIMIT"}]}`, field, false, ""},
		{`s=200&b={"responses":[]}`, field, false, "body without a verdict"},
		{`s=200&b=ok`, field, false, "body without a verdict"},
		{`s=429&b=ok`, field, false, ""},
	} {
		target := opened(t, setting(url+"/?"+strings.ReplaceAll(c.query, " ", "+")), c.options)
		a, err := target.Ask(t.Context(), &exchange.Request{})
		if fmt.Sprint(err) != c.fails && (err != nil || c.fails != "") || err == nil && a.Admit != c.admit {
			t.Errorf("%s with %v: %+v, %v", c.query, c.options, a, err)
		}
		if want := none; !strings.Contains(c.query, "Retry-After") && a.RetryAfterNs != want {
			t.Errorf("%s: %+v", c.query, a)
		}
	}
}

// TestTimeouts checks a server that does not answer, and one that ends in the middle
// of a body.
func TestTimeouts(t *testing.T) {
	release := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/short" {
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "short")
			return
		}
		<-release
	})
	defer close(release)
	target := opened(t, setting(url), map[string]any{"timeout": int64(50 * time.Millisecond)})
	if _, err := target.Ask(t.Context(), &exchange.Request{}); err == nil || err.Error() != "timeout" {
		t.Errorf("no answer: %v", err)
	}
	target = opened(t, setting(url+"/short"), nil)
	if _, err := target.Ask(t.Context(), &exchange.Request{}); err == nil || err.Error() != "connection closed" {
		t.Errorf("half a body: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := opened(t, setting(url), nil).Ask(ctx, &exchange.Request{}); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}

// TestRefusedConnections checks that a request whose connection is refused was not sent,
// so that the limiter cannot have admitted it. One that breaks off may have been admitted.
func TestRefusedConnections(t *testing.T) {
	var admitted atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if admitted.Add(1) > 100 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Connection", "close")
	}))
	target := opened(t, setting(s.URL), nil)
	run := func(n int) []exchange.Exchange {
		r, err := send.Run(t.Context(), planned(n, 0), target, send.Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return r.Exchanges
	}
	answered, broken := run(100), run(1)
	s.Close()
	refused := run(197)
	for _, e := range refused {
		if e.Verdict != exchange.NotSent || e.Failure != "connection refused" || e.SentNs != exchange.Unstated || e.AnsweredNs != exchange.Unstated {
			t.Fatalf("%+v", e)
		}
	}
	rep, err := bounds.Judge(slices.Concat(answered, broken, refused), bounds.NewSettings(counting.Limit{Count: 100, Window: int64(time.Hour)}, bounds.Sliding))
	if err != nil {
		t.Fatal(err)
	}
	if j := rep.Judgement; j.Certified != 100 || j.Possible != 101 {
		t.Errorf("%v to %v, want 100 to 101", j.Certified, j.Possible)
	}
}
