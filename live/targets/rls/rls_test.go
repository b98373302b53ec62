//go:build network

package rls

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	service "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// replica is a service that notes what it is asked.
type replica struct {
	service.UnimplementedRateLimitServiceServer
	address string
	stop    func()
	decide  func(ctx context.Context, calls int) (*service.RateLimitResponse, error)

	mutex sync.Mutex
	calls []string
}

// ShouldRateLimit implements the service.
func (r *replica) ShouldRateLimit(ctx context.Context, m *service.RateLimitRequest) (*service.RateLimitResponse, error) {
	said := fmt.Sprintf("%s +%d", m.GetDomain(), m.GetHitsAddend())
	for _, d := range m.GetDescriptors() {
		said += " |"
		for _, e := range d.GetEntries() {
			said += fmt.Sprintf(" %s=%s", e.GetKey(), e.GetValue())
		}
	}
	r.mutex.Lock()
	r.calls = append(r.calls, said)
	calls := len(r.calls)
	r.mutex.Unlock()
	return r.decide(ctx, calls)
}

// said returns what the replica was asked.
func (r *replica) said() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.calls)
}

func serve(t *testing.T, decide func(ctx context.Context, calls int) (*service.RateLimitResponse, error)) *replica {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	r := &replica{address: l.Addr().String(), stop: s.Stop, decide: decide}
	service.RegisterRateLimitServiceServer(s, r)
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return r
}

func start(t *testing.T, clients int, options map[string]any, addresses ...string) exchange.Target {
	t.Helper()
	to, err := Kind().Open(t.Context(), &targets.Setting{Addresses: addresses, Clients: clients}, with(options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	return to
}

// with returns values of options, with a domain and a timeout that does not matter.
func with(options map[string]any) catalog.Values {
	v := catalog.Values{"domain": {V: "shop"}, "timeout": {V: int64(60e9)}}
	for name, x := range options {
		v[name] = catalog.Value{V: x, Given: true}
	}
	return v
}

// Client i asks replica i mod n what the templates say.
func TestAsks(t *testing.T) {
	always := func(context.Context, int) (*service.RateLimitResponse, error) { return says(ok), nil }
	replicas := []*replica{serve(t, always), serve(t, always)}
	to := start(t, 5, map[string]any{"descriptors": []any{"path=/pay, user={key}", "tenant={tenant}"}}, replicas[0].address, replicas[1].address)
	for i := range int32(5) {
		r := &exchange.Request{Key: fmt.Sprintf("k%d", i), Tenant: "t=,", Client: i, Cost: int64(i) + 1}
		if a, err := to.Ask(t.Context(), r); err != nil || a != exchange.Plain(true) {
			t.Errorf("client %d: %+v, %v", i, a, err)
		}
	}
	for i, want := range [][]string{
		{"shop +1 | path=/pay user=k0 | tenant=t=,", "shop +3 | path=/pay user=k2 | tenant=t=,", "shop +5 | path=/pay user=k4 | tenant=t=,"},
		{"shop +2 | path=/pay user=k1 | tenant=t=,", "shop +4 | path=/pay user=k3 | tenant=t=,"},
	} {
		if got := replicas[i].said(); !slices.Equal(got, want) {
			t.Errorf("replica %d was asked %q, want %q", i, got, want)
		}
	}
}

// A cost that the protocol's 32 bits cannot state is a failure, and no call.
func TestCosts(t *testing.T) {
	r := serve(t, func(context.Context, int) (*service.RateLimitResponse, error) { return says(ok), nil })
	to := start(t, 1, map[string]any{"on_timeout": "admit"}, r.address)
	for _, cost := range []int64{-1, 0, 1, 1<<32 - 1, 1 << 32} {
		fits := cost == 1 || cost == 1<<32-1
		a, err := to.Ask(t.Context(), &exchange.Request{Key: "k", Cost: cost})
		if a != exchange.Plain(fits) || (err == nil) != fits {
			t.Errorf("cost %d: %+v, %v", cost, a, err)
		}
	}
	if got := r.said(); len(got) != 2 || !strings.HasPrefix(got[0], "shop +1") || !strings.HasPrefix(got[1], "shop +4294967295") {
		t.Errorf("the service was asked %q", got)
	}
}

// Calls that are refused, cut off or fail are one call each, whatever the
// configuration of the service asks for.
func TestOneRequestIsOneCall(t *testing.T) {
	for _, c := range []struct{ name, want string }{{"refuse", "status Unavailable"}, {"reset", "status Unavailable"}} {
		t.Run(c.name, func(t *testing.T) {
			s := newFrames(t, c.name)
			to := start(t, 1, nil, s.address)
			const asked = 5
			for asks := 0; asks < asked; {
				_, err := to.Ask(t.Context(), &exchange.Request{Key: "k", Cost: 1})
				if err == nil || err.Error() != c.want {
					t.Fatalf("%v, want %s", err, c.want)
				}
				if asks++; s.messages.Load() > int64(asks) {
					t.Fatalf("%d messages of %d requests", s.messages.Load(), asks)
				}
			}
			if s.messages.Load() == 0 {
				t.Error("no message arrived")
			}
		})
	}
	r := serve(t, func(context.Context, int) (*service.RateLimitResponse, error) {
		return nil, status.Error(codes.Unavailable, "key k")
	})
	to := start(t, 1, nil, r.address)
	for range 5 {
		if _, err := to.Ask(t.Context(), &exchange.Request{Key: "k", Cost: 1}); err == nil || err.Error() != "status Unavailable" {
			t.Errorf("%v, want status Unavailable", err)
		}
	}
	if calls := len(r.said()); calls != 5 {
		t.Errorf("5 requests made %d calls", calls)
	}
}

// A call that finds no connection was not sent, unless on_timeout says what it counts as.
func TestRefusedConnections(t *testing.T) {
	for _, onTimeout := range []string{"fail", "admit"} {
		r := serve(t, func(context.Context, int) (*service.RateLimitResponse, error) { return says(ok), nil })
		to := start(t, 1, map[string]any{"on_timeout": onTimeout}, r.address)
		r.stop()
		unsent := 0
		for range 1000 { // the first may be on their way when the connection ends
			a, err := to.Ask(t.Context(), &exchange.Request{Key: "k", Cost: 1})
			var f targets.Failure
			if errors.As(err, &f) && f.Unsent() || a.Presumed && onTimeout == "admit" {
				unsent++
			}
		}
		if unsent < 990 || len(r.said()) > 0 {
			t.Errorf("on_timeout %s: %d of 1000 were not sent, the service was asked %q", onTimeout, unsent, r.said())
		}
	}
}

// A stalled call counts as on_timeout says, and only there a verdict is presumed.
func TestWithoutAVerdict(t *testing.T) {
	stalls := func(ctx context.Context, _ int) (*service.RateLimitResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	unknown := func(context.Context, int) (*service.RateLimitResponse, error) { return says(0), nil }
	presumed := func(admit bool) exchange.Answer {
		a := exchange.Plain(admit)
		a.Presumed = true
		return a
	}
	for _, c := range []struct {
		decide    func(context.Context, int) (*service.RateLimitResponse, error)
		onTimeout string
		want      exchange.Answer
		failure   string
	}{
		{stalls, "fail", exchange.Plain(false), "timeout"},
		{stalls, "admit", presumed(true), ""},
		{stalls, "reject", presumed(false), ""},
		{unknown, "fail", exchange.Plain(false), "code UNKNOWN"},
		{unknown, "admit", presumed(true), ""},
	} {
		to := start(t, 1, map[string]any{"timeout": int64(20e6), "on_timeout": c.onTimeout}, serve(t, c.decide).address)
		got, err := to.Ask(t.Context(), &exchange.Request{Cost: 1})
		if got != c.want || (err == nil) != (c.failure == "") || err != nil && err.Error() != c.failure && err.Error() != "timeout" {
			t.Errorf("on_timeout %s: %+v, %v, want %+v, %s", c.onTimeout, got, err, c.want, c.failure)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := to.Ask(ctx, &exchange.Request{Cost: 1}); err == nil || err.Error() != "interrupted" {
			t.Errorf("on_timeout %s, interrupted: %v", c.onTimeout, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	r := serve(t, func(context.Context, int) (*service.RateLimitResponse, error) { return says(ok), nil })
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for _, c := range []struct {
		address string
		options map[string]any
		want    string
	}{
		{r.address, map[string]any{"domain": ""}, "domain is missing"},
		{r.address, map[string]any{"descriptors": []any{"user={key}", "user"}}, `descriptors, element 2: "user": want NAME=TEMPLATE`},
		{r.address, map[string]any{"descriptors": []any{"user={who}"}}, "unknown word {who}"},
		{r.address, map[string]any{"descriptors": []any{}}, "descriptors: none is listed"},
		{gone.Addr().String(), nil, "connection refused"},
		{"192.0.2.1:80", nil, "192.0.2.1 is not on this machine"},
		{"localhost", nil, "want HOST:PORT"},
	} {
		if _, err := Kind().Open(t.Context(), &targets.Setting{Addresses: []string{c.address}, Clients: 1}, with(c.options)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.address, c.options, err, c.want)
		}
	}
	to := start(t, 1, nil, r.address)
	for _, cost := range []int64{0, 1 << 32} {
		if _, err := to.Ask(t.Context(), &exchange.Request{Cost: cost}); err == nil || len(r.said()) > 0 {
			t.Errorf("cost %d: %v", cost, err)
		}
	}
}
