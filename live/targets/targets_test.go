package targets

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

func TestTemplate(t *testing.T) {
	s := &Setting{Run: "abc", Policy: Policy{Limit: 100, WindowNs: 1_500_000_000, Burst: 20}}
	r := &exchange.Request{Number: 7, Key: "{cost}", Tenant: "t", Client: 3, Cost: 2}
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"plain", "plain"}, {"{key}", "{cost}"}, {"{i}{i}", "77"},
		{"{tenant}/{client}:{cost}.", "t/3:2."},
		{`{"key":"{key}","n":{"a":{i}}}`, `{"key":"{cost}","n":{"a":7}}`},
		{"{{key}}", "{{cost}}"}, {"{Key}", "{Key}"}, {"{", "{"}, {"{}", "{}"},
		{"{run} {limit} {burst} {window_s} {window_ms} {window_us}", "abc 100 20 1.5 1500 1500000"},
	} {
		parsed, err := s.Template(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := parsed.Of(r); got != c.want {
			t.Errorf("%q gives %q, want %q", c.text, got, c.want)
		}
	}
	if _, err := s.Template("user-{kye}"); err == nil || !strings.Contains(err.Error(), "unknown word {kye} at character 6") {
		t.Errorf("a word that does not exist: %v", err)
	}
}

// Dial judges the address that it connects to, not the name.
func TestDial(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	dial := func(host string, allow ...string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		c, err := (&Setting{Allow: allow}).Dial(ctx, "tcp", net.JoinHostPort(host, port))
		if err == nil {
			c.Close()
		}
		return err
	}
	for _, host := range []string{"127.0.0.1", "localhost", "::ffff:127.0.0.1"} {
		if err := dial(host); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range []string{"192.0.2.1", "0.0.0.0", "2001:db8::1", "127.0.0.1.nip.invalid"} {
		err := dial(host)
		if elsewhere := (*Elsewhere)(nil); err == nil || !errors.As(err, &elsewhere) && !strings.HasSuffix(host, ".invalid") {
			t.Errorf("%s: %v, want that it is elsewhere", host, err)
		}
	}
	if err := dial("0.0.0.0", "0.0.0.0"); err != nil {
		t.Errorf("an allowed host: %v", err)
	}
}

// fake is a connection that breaks when it is told.
type fake struct {
	broken bool
	closed *int
}

func (f *fake) Broken() bool { return f.broken }
func (f *fake) Close() error { *f.closed++; return nil }

// A broken connection is opened again by the next request, and what failed is not
// repeated.
func TestConnections(t *testing.T) {
	opened, closed, uses := 0, 0, 0
	fails := errors.New("fails")
	all, err := NewConnections(t.Context(), 2, func(context.Context) (*fake, error) {
		if opened++; opened == 4 {
			return nil, fails
		}
		return &fake{closed: &closed}, nil
	})
	if err != nil || opened != 2 {
		t.Fatalf("%d connections, %v", opened, err)
	}
	use := func(breaks bool) error {
		return all.Use(t.Context(), func(f *fake) error {
			if uses++; f.broken {
				t.Error("a broken connection is used")
			}
			if f.broken = breaks; breaks {
				return fails
			}
			return nil
		})
	}
	for i, want := range []struct {
		breaks               bool
		opened, closed, uses int
	}{{false, 2, 0, 1}, {true, 2, 1, 2}, {false, 2, 1, 3}, {false, 3, 1, 4}, {true, 3, 2, 5}, {false, 3, 2, 6}, {false, 4, 2, 6}, {false, 4, 2, 7}, {false, 5, 2, 8}} {
		if err := use(want.breaks); (err != nil) != (want.breaks || i == 6) {
			t.Errorf("use %d: %v", i+1, err)
		}
		if opened != want.opened || closed != want.closed || uses != want.uses {
			t.Errorf("after use %d: %d opened, %d closed, %d uses, want %+v", i+1, opened, closed, uses, want)
		}
	}
	holding, release := make(chan bool), make(chan bool)
	for range 2 {
		go all.Use(context.Background(), func(*fake) error { holding <- true; <-release; return nil })
	}
	<-holding
	<-holding
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := all.Use(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a free connection: %v", err)
	}
	close(release)
	if err := all.Close(); err != nil || closed != 4 {
		t.Errorf("%d closed, %v", closed, err)
	}
}

// No failure tells an address or a key.
func TestFailureOf(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := &Setting{}
	_, refused := s.Dial(t.Context(), "tcp", l.Addr().String())
	_, far := s.Dial(t.Context(), "tcp", "192.0.2.1:80")
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, timeout := s.Dial(late, "tcp", "127.0.0.1:1")
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{refused, "connection refused"}, {far, "host not allowed"}, {timeout, "timeout"},
		{context.Canceled, "interrupted"}, {errors.New("key secret"), "other"}, {errors.Join(Failure("own")), "own"},
	} {
		if got := FailureOf(c.err, "other"); got != c.want {
			t.Errorf("%v is %q, want %q", c.err, got, c.want)
		}
	}
}
