package http

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// TestRequests checks what the server is sent, and that each client has its URL and
// connections of its own.
func TestRequests(t *testing.T) {
	var mu sync.Mutex
	from := map[string][]string{} // by client: addresses of its connections
	var got []string
	handle := func(server string) string {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			client := r.Header.Get("X-Client")
			if !slices.Contains(from[client], r.RemoteAddr) {
				from[client] = append(from[client], r.RemoteAddr)
			}
			got = append(got, fmt.Sprintf("%s %s %s %s host %s, %s, %s, %s", server, r.Method, r.RequestURI, body, r.Host, r.Header["Content-Type"], r.Header["Authorization"], r.Header["X-Key"]))
		})
	}
	secrets := filepath.Join(t.TempDir(), "headers")
	if err := os.WriteFile(secrets, []byte("X-Key: {secret}\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := setting(handle("a")+"/{tenant}/x?k={key}&n={i}", handle("b")+"/{client}")
	s.Lookup = func(name string) (string, bool) { return "Bearer s3cret", name == "LIMITGAUGE_HTTP_AUTHORIZATION" }
	target := opened(t, s, map[string]any{
		"method": "POST", "body": `{"key":"{key}","cost":{cost},"limit":{limit}}`,
		"headers": []any{"X-Client: {client}", "host: c{client}.example", "x-key: of {key}"}, "headers_file": secrets,
	})
	for i := range 6 {
		key := `a"b/c d&e=é`
		if i == 5 {
			key = "two\nlines"
		}
		_, err := target.Ask(t.Context(), &exchange.Request{Number: int64(i), Key: key, Tenant: "t/1", Client: int32(i % 3), Cost: 2})
		if want := i == 5; want != (err != nil) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	const rest = ` {"key":"a\"b/c d\u0026e=é","cost":2,"limit":0} host c%d.example, [application/json], [Bearer s3cret], [of a"b/c d&e=é {secret}]`
	const path = `a POST /t%2F1/x?k=a%22b%2Fc+d%26e%3D%C3%A9&n=`
	want := []string{path + "0", "b POST /1", path + "2", path + "3", "b POST /1"}
	for i := range want {
		want[i] += fmt.Sprintf(rest, i%3)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(from) != 3 || len(from["0"]) != 1 || len(from["1"]) != 1 || len(from["2"]) != 1 || from["0"][0] == from["2"][0] {
		t.Errorf("connections by client: %v", from)
	}
}

func TestOptionErrors(t *testing.T) {
	const url = "http://127.0.0.1:1"
	for _, c := range []struct {
		url     string
		options map[string]any
		want    string
	}{
		{"http://192.0.2.1/", nil, "192.0.2.1 is not on this machine: allow it with --allow 192.0.2.1"},
		{url, nil, "connection refused"},
		{"ftp://localhost", nil, "begins with http:// or https://"},
		{"http://{key}.example", nil, "cannot be read"},
		{"http://me:s3cret@localhost", nil, "the URL contains credentials"},
		{"http://me:s3cret@local host", nil, "the URL cannot be read"},
		{url + "/{kee}", nil, "unknown word {kee}"},
		{url, map[string]any{"body": "{kee}"}, "body: "},
		{url, map[string]any{"field": "a"}, "field and field_admits need each other"},
		{url, map[string]any{"headers": []any{"X: 1", "no header"}}, "headers, element 2: it is not a header"},
		{url, map[string]any{"headers": []any{"authorization: s3cret"}}, "holds credentials"},
		{url, map[string]any{"headers_file": "none"}, "headers_file: "},
		{url, map[string]any{"method": "POST", "headers": []any{"idempotency-key: {i}"}}, "needs a body"},
	} {
		_, err := Kind().Open(t.Context(), setting(c.url), values(c.options))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s with %v: error is %v, want %q", c.url, c.options, err, c.want)
		}
	}
}
