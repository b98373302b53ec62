package explore

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// request is a request to the server that differs from what the page sends.
type request struct {
	method, path, body string
	change             func(*http.Request)
}

// send sends a request as the page does, but for its differences.
func send(t *testing.T, url string, s *Server, r request) (code int, body string) {
	t.Helper()
	q, err := http.NewRequest(r.method, strings.TrimSuffix(url, "/")+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Origin", strings.TrimSuffix(url, "/"))
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set(TokenHeader, s.token)
	if r.change != nil {
		r.change(q)
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text)
}

func TestRequests(t *testing.T) {
	url, s, _ := serve(t, explorerOf(t, small, "."))
	const question = `{"view": {"scenario": "step"}, "preview": true}`
	header := func(name, value string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(q *http.Request) { q.Host = name } }
	port := strings.TrimSuffix(url[strings.LastIndex(url, ":")+1:], "/")
	for _, c := range []struct {
		name string
		request
		code int
		want string
	}{
		{"the page", request{"GET", "/", "", nil}, 200, "<!DOCTYPE html>"},
		{"a question", request{"POST", "/answer", question, nil}, 200, `"table":`},
		{"by the name localhost", request{"POST", "/answer", question, func(q *http.Request) {
			q.Host = "localhost:" + port
			q.Header.Set("Origin", "http://localhost:"+port)
		}}, 200, `"table":`},
		{"another host: DNS rebinding", request{"GET", "/", "", host("evil.example:" + port)}, 421, "does not serve the host"},
		{"another host asks", request{"POST", "/answer", question, host("evil.example:" + port)}, 421, "does not serve the host"},
		{"no port", request{"GET", "/", "", host("127.0.0.1")}, 421, "does not serve the host"},
		{"another origin", request{"POST", "/answer", question, header("Origin", "http://evil.example")}, 403, "from the page itself"},
		{"another port of this machine", request{"POST", "/answer", question, header("Origin", "http://127.0.0.1:1")}, 403, "from the page itself"},
		{"no origin at all: a sandboxed frame", request{"POST", "/answer", question, header("Origin", "null")}, 403, "from the page itself"},
		{"another site, says the browser", request{"POST", "/answer", question, header("Sec-Fetch-Site", "cross-site")}, 403, "from the page itself"},
		{"the same machine, says the browser", request{"POST", "/answer", question, header("Sec-Fetch-Site", "same-site")}, 403, "from the page itself"},
		{"no token", request{"POST", "/answer", question, func(q *http.Request) { q.Header.Del(TokenHeader) }}, 403, "load it again"},
		{"an old token", request{"POST", "/answer", question, header(TokenHeader, "old")}, 403, "load it again"},
		{"no token for a curve", request{"POST", "/curve", question, func(q *http.Request) { q.Header.Del(TokenHeader) }}, 403, "load it again"},
		{"no token for a copy", request{"POST", "/copy", question, func(q *http.Request) { q.Header.Del(TokenHeader) }}, 403, "load it again"},
		{"a form", request{"POST", "/answer", question, header("Content-Type", "text/plain")}, 415, "application/json"},
		{"GET starts no run", request{"GET", "/answer", "", nil}, 405, "method"},
		{"PUT", request{"PUT", "/", "", nil}, 405, "method"},
		{"another path", request{"GET", "/../../etc/passwd", "", nil}, 404, "nothing is here"},
		{"a file of the package", request{"GET", "/script/page.js", "", nil}, 404, "nothing is here"},
		{"not JSON", request{"POST", "/answer", "{", nil}, 400, "cannot be read"},
		{"an unknown field", request{"POST", "/answer", `{"view": {"scenario": "step"}, "file": "/etc/passwd"}`, nil}, 400, "unknown field"},
		{"a large body", request{"POST", "/answer", `{"id": "` + strings.Repeat("x", mostBody) + `"}`, nil}, 413, "too large"},
		{"markup as the name of elements", request{"POST", "/answer", `{"view": {"scenario": "step"}, "id": "<script>"}`, nil}, 200, `"problems":`},
		{"a mistake", request{"POST", "/answer", `{"view": {"scenario": "step", "sets": [["policy.limit", "5"]]}}`, nil}, 200, `"path":"policy.limit"`},
	} {
		code, body := send(t, url, s, c.request)
		if code != c.code || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %.200s, want %d and %q", c.name, code, body, c.code, c.want)
		}
		if c.code != 200 && strings.Contains(body, s.token) {
			t.Errorf("%s: tells the token", c.name)
		}
	}
}

func TestPageIsClosed(t *testing.T) {
	url, _, _ := serve(t, explorerOf(t, small, "."))
	a, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	policy := a.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q has no %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestStaleRunsEnd: a question of a page ends the one before it, but not that of another
// page.
func TestStaleRunsEnd(t *testing.T) {
	url, s, _ := serve(t, explorerOf(t, small, "."))
	const long = `{"view": {"scenario": "fleet at 3x", "sets": [["duration", "300s"], ["replications", "800"]]}}`
	page := func(name string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set("X-Limitgauge-Page", name) }
	}
	code := make(chan int, 1)
	go func() {
		c, _ := send(t, url, s, request{"POST", "/answer", long, page("one")})
		code <- c
	}()
	wait.Until(t, "the run has begun", func() bool { return len(s.explorer.running) > 0 })
	if c, body := send(t, url, s, request{"POST", "/answer", `{"view": {"scenario": "step"}, "preview": true}`, page("one")}); c != 200 {
		t.Errorf("the later question: %d %.200s", c, body)
	}
	if c := <-code; c != http.StatusConflict {
		t.Errorf("the stale question: %d, want 409", c)
	}
}

// TestLeavingEndsTheRun: the run of a page that is closed ends.
func TestLeavingEndsTheRun(t *testing.T) {
	e := explorerOf(t, small, ".")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := e.Answer(ctx, Question{View: View{Scenario: "step", Sets: [][2]string{{"duration", "300s"}, {"replications", "800"}}}}) // 2000 are too much, and end at once
		ended <- err
	}()
	wait.Until(t, "the run has begun", func() bool { return len(e.running) > 0 })
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("an answer of a run that was to end")
		}
	case <-wait.End(t):
		t.Fatal("the run goes on")
	}
	if e.known("") != nil || len(e.kept) > 0 {
		t.Error("a part of a run is kept as if it were whole")
	}
}

// TestNothingIsWritten: answers leave no file behind.
func TestNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	source := []byte("version: 1\nduration: 2s\nscenarios:\n  - {name: one, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 20/s}], algorithms: [token-bucket]}\n")
	url, s, stop := serve(t, explorerFrom(t, source, "."))
	for _, r := range []request{
		{"GET", "/", "", nil}, {"POST", "/answer", `{"view": {"scenario": "one"}}`, nil}, {"POST", "/copy", `{"view": {"scenario": "one"}}`, nil},
		{"POST", "/curve", `{"view": {"scenario": "one"}, "path": "traffic[0].rate", "values": ["10/s", "20/s"]}`, nil},
	} {
		if code, body := send(t, url, s, r); code != 200 {
			t.Fatalf("%s: %d %.200s", r.path, code, body)
		}
	}
	stop()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
