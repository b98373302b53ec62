//go:build network

package rls

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"time"

	common "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	service "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
)

// connectWithin is how long a replica may take to accept a connection at first.
const connectWithin = 5 * time.Second

// target is a service with a connection of each client to its replica.
type target struct {
	options
	connections []*grpc.ClientConn // by client
}

// open connects each client to its replica.
func open(ctx context.Context, s *targets.Setting, o options) (exchange.Target, error) {
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	t := &target{options: o}
	for i := range s.Clients {
		address := s.Addresses[i%len(s.Addresses)]
		if err := t.connect(ctx, s, address); err != nil {
			return nil, errors.Join(fmt.Errorf("connect to %s: %w", address, err), t.Close())
		}
	}
	return t, nil
}

// connect adds a connection and waits until it is ready.
func (t *target) connect(ctx context.Context, s *targets.Setting, address string) error {
	secrecy := insecure.NewCredentials()
	if t.tls {
		secrecy = credentials.NewTLS(&tls.Config{})
	}
	failed := make(chan error, 1)
	c, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(secrecy), grpc.WithNoProxy(),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			c, err := s.Dial(ctx, "tcp", address)
			select {
			case failed <- err:
			default:
			}
			return c, err
		}),
		// One request is one call. The first two disable what a service or its
		// configuration could ask for. The third has a call forget its message as soon
		// as it is sent, so that the library cannot send it again after a server
		// refused the stream, which it does otherwise with any setting.
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(), grpc.WithDefaultCallOptions(grpc.MaxRetryRPCBufferSize(0)))
	if err != nil {
		return err
	}
	t.connections = append(t.connections, c)
	for c.Connect(); ; {
		switch state := c.GetState(); state {
		case connectivity.Ready:
			return nil
		case connectivity.TransientFailure:
			return errors.Join(errors.New("no connection"), <-failed)
		default:
			if !c.WaitForStateChange(ctx, state) {
				return ctx.Err()
			}
		}
	}
}

// Ask implements exchange.Target.
func (t *target) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	if r.Cost < 1 || r.Cost > math.MaxUint32 {
		return exchange.Plain(false), targets.Failure("cost outside of 1 to 4294967295")
	}
	call, cancel := context.WithTimeout(ctx, time.Duration(t.timeoutNs))
	defer cancel()
	var to peer.Peer // stays empty of a call that got no stream, of which nothing was sent
	response, err := service.NewRateLimitServiceClient(t.connections[int(r.Client)%len(t.connections)]).ShouldRateLimit(call, t.request(r), grpc.Peer(&to))
	if err != nil && to.Addr == nil {
		err = targets.NoStream
	} else if err != nil {
		err = failure(err)
	} else if code := response.GetOverallCode(); code != service.RateLimitResponse_OK && code != service.RateLimitResponse_OVER_LIMIT {
		err = targets.Failure("code UNKNOWN")
	}
	switch {
	case err == nil:
		return answer(response), nil
	case ctx.Err() != nil:
		return exchange.Plain(false), targets.FailureOf(ctx.Err(), "interrupted")
	case t.onTimeout == "fail":
		return exchange.Plain(false), err
	}
	a := exchange.Plain(t.onTimeout == "admit")
	a.Presumed = true
	return a, nil
}

func (t *target) request(r *exchange.Request) *service.RateLimitRequest {
	entryOf := func(e entry) *common.RateLimitDescriptor_Entry {
		return &common.RateLimitDescriptor_Entry{Key: e.key, Value: e.value.Of(r)}
	}
	return &service.RateLimitRequest{Domain: t.domain, HitsAddend: uint32(r.Cost), Descriptors: lists.Map(t.descriptors, func(d []entry) *common.RateLimitDescriptor {
		return &common.RateLimitDescriptor{Entries: lists.Map(d, entryOf)}
	})}
}

// answer reads a response. What remains and the limit are those of the limit with the
// least left, and the reset is the last one of the limits that reject, or of that one if
// none does.
func answer(m *service.RateLimitResponse) exchange.Answer {
	a := exchange.Plain(m.GetOverallCode() == service.RateLimitResponse_OK)
	for _, s := range m.GetStatuses() {
		if s.GetCurrentLimit() == nil {
			continue // no limit applies to this descriptor
		}
		remaining, reset := int64(s.GetLimitRemaining()), exchange.Unstated
		if s.DurationUntilReset != nil {
			reset = int64(s.DurationUntilReset.AsDuration())
		}
		least := a.Remaining == exchange.Unstated || remaining < a.Remaining
		if least {
			a.Remaining, a.StatedLimit, a.StatedWindowNs = remaining, int64(s.CurrentLimit.RequestsPerUnit), exchange.Unstated
			if window, ok := windows[s.CurrentLimit.Unit]; ok {
				a.StatedWindowNs = int64(window)
			}
		}
		switch {
		case a.Admit && least:
			a.ResetNs = reset
		case !a.Admit && s.GetCode() == service.RateLimitResponse_OVER_LIMIT:
			a.ResetNs = max(a.ResetNs, reset)
		}
	}
	return a
}

// windows are the lengths of units. Those of a month and a year vary.
var windows = map[service.RateLimitResponse_RateLimit_Unit]time.Duration{
	service.RateLimitResponse_RateLimit_SECOND: time.Second, service.RateLimitResponse_RateLimit_MINUTE: time.Minute,
	service.RateLimitResponse_RateLimit_HOUR: time.Hour, service.RateLimitResponse_RateLimit_DAY: 24 * time.Hour,
	service.RateLimitResponse_RateLimit_WEEK: 7 * 24 * time.Hour,
}

// failure returns the class of an error.
func failure(err error) error {
	switch code := status.Code(err); code {
	case codes.DeadlineExceeded:
		return targets.Failure("timeout")
	case codes.Canceled:
		return targets.Failure("interrupted")
	default:
		return targets.Failure("status " + code.String())
	}
}

// Close implements exchange.Target.
func (t *target) Close() (err error) {
	for _, c := range t.connections {
		err = errors.Join(err, c.Close())
	}
	return err
}
