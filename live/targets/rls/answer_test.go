//go:build network

package rls

import (
	"testing"
	"time"

	service "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/limitgauge/limitgauge/live/exchange"
)

const (
	ok        = service.RateLimitResponse_OK
	overLimit = service.RateLimitResponse_OVER_LIMIT
)

func says(code service.RateLimitResponse_Code, statuses ...*service.RateLimitResponse_DescriptorStatus) *service.RateLimitResponse {
	return &service.RateLimitResponse{OverallCode: code, Statuses: statuses}
}

// state is the state of one descriptor, with a limit of 10 more a minute than remain; a
// reset of 0 says that none is stated.
func state(code service.RateLimitResponse_Code, remaining uint32, reset time.Duration) *service.RateLimitResponse_DescriptorStatus {
	s := &service.RateLimitResponse_DescriptorStatus{Code: code, LimitRemaining: remaining, CurrentLimit: &service.RateLimitResponse_RateLimit{RequestsPerUnit: 10 + remaining, Unit: service.RateLimitResponse_RateLimit_MINUTE}}
	if reset > 0 {
		s.DurationUntilReset = durationpb.New(reset)
	}
	return s
}

func TestAnswer(t *testing.T) {
	const s = time.Second
	unlimited := &service.RateLimitResponse_DescriptorStatus{Code: ok}
	for _, c := range []struct {
		response         *service.RateLimitResponse
		admit            bool
		remaining, reset int64
	}{
		{says(ok), true, -1, -1},
		{says(ok, unlimited), true, -1, -1},
		{says(overLimit), false, -1, -1},
		{says(ok, state(ok, 7, 30*s), unlimited, state(ok, 3, 20*s), state(ok, 5, 40*s)), true, 3, 20e9},
		{says(ok, state(ok, 7, 0)), true, 7, -1},
		{says(overLimit, state(overLimit, 0, 5*s), state(ok, 3, 60*s), state(overLimit, 0, 1500*time.Millisecond)), false, 0, 5e9},
	} {
		want := exchange.Plain(c.admit)
		if want.Remaining, want.ResetNs = c.remaining, c.reset; c.remaining >= 0 {
			want.StatedLimit, want.StatedWindowNs = 10+c.remaining, 60e9
		}
		if got := answer(c.response); got != want {
			t.Errorf("%v: %+v, want %+v", c.response, got, want)
		}
	}
}

// The window of a limit that a response states is not known if it is a month or a year.
func TestUnits(t *testing.T) {
	for unit, want := range map[service.RateLimitResponse_RateLimit_Unit]int64{
		service.RateLimitResponse_RateLimit_SECOND: 1e9, service.RateLimitResponse_RateLimit_HOUR: 3600e9, service.RateLimitResponse_RateLimit_DAY: 86400e9,
		service.RateLimitResponse_RateLimit_WEEK: 604800e9, service.RateLimitResponse_RateLimit_MONTH: -1, service.RateLimitResponse_RateLimit_UNKNOWN: -1,
	} {
		s := state(ok, 3, 0)
		s.CurrentLimit.Unit = unit
		if a := answer(says(ok, s)); a.StatedLimit != 13 || a.StatedWindowNs != want {
			t.Errorf("%v: %+v", unit, a)
		}
	}
}
