package counting

import (
	"cmp"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

var nginxLimitReqKind = kind{
	entry: catalog.Entry{
		Name:    "nginx-limit-req",
		With:    []string{"with a burst"},
		Queues:  true,
		Summary: "nginx limit_req with its own integers: a clock of milliseconds, thousandths of a request, and rates rounded down",
		Idea: "A key has an excess in thousandths of a request and the time of the latest request that was admitted. The next one subtracts the rate times the milliseconds since then, rounded down, " +
			"and adds 1000. If the excess is above `burst`, the request is rejected and changes nothing. Otherwise it is delayed until the excess beyond `delay` has drained, in whole milliseconds. " +
			"The rate is a whole number of thousandths a second: 1r/m is 16, one request in 62.5 s. Each admission moves the clock over what rounding has not drained, less than a thousandth of a request.",
		Bound: "admitted cost in any span of t seconds is at most burst + 1 + r*t, and the largest cost + r*t when requests are delayed, for r = floor(1000*rate)/1000 and up to 1 ms of r; " +
			"the first request of a key counts as excess 0. The wait is at most burst/r",
		Source: "nginx 1.31.5, src/http/modules/ngx_http_limit_req_module.c: ngx_http_limit_req_lookup, ngx_http_limit_req_account, ngx_http_limit_req_zone",
		Fields: leakyBucketKind.entry.Fields,
		State: []catalog.Member{
			{Name: "excess_thousandths", Unit: "thousandths of a request", Doc: "excess of the latest admitted request"},
			{Name: "rate_thousandths_per_s", Unit: "thousandths of a request per s", Doc: "rate, rounded down"},
			{Name: "burst_thousandths", Unit: "thousandths of a request", Doc: "largest excess that is admitted"},
			{Name: "last_ms", Unit: "ms", Doc: "time of the latest admitted request; -1 before the first one"},
		},
	},
	keyBytes: 16,
	make: func(limit Limit, v catalog.Values, keys int) (any, error) {
		o := LeakyBucketOptionsOf(limit, v)
		if err := CheckNginx(limit, o); err != nil {
			return nil, err
		}
		return NewNginxLimitReqs(limit, o, keys), nil
	},
	changing: func(t any, limits []Limit, v catalog.Values) (setLimit, error) {
		table := t.(*NginxLimitReqs)
		return func(i int, _ int64) { table.Under(limits[i], LeakyBucketOptionsOf(limits[i], v)) }, nil
	},
	waiting: leakyBucketKind.waiting,
	worst:   worstNginxLimitReq,
}

// nginxUnit is the excess that one request adds.
const nginxUnit = 1000

// nginxMost is the largest excess that burst and cost may reach, so that sums do
// not overflow.
const nginxMost = int64(1) << 60

// CheckNginx returns an error if nginx cannot keep the limit: its rate must be at
// least 0.001 requests a second, and a burst at most 2^60/1000 requests.
func CheckNginx(limit Limit, o LeakyBucketOptions) error {
	if err := cmp.Or(o.exclusive(), limit.withBurst(0).Check()); err != nil {
		return err
	}
	switch rate := nginxRate(limit); {
	case rate < 1:
		return fmt.Errorf("nginx keeps thousandths of a request a second, and %d per %s is less than one", limit.Count, units.FormatDuration(limit.Window))
	case rate == math.MaxInt64:
		return fmt.Errorf("a limit of %d per %s is more than nginx can count", limit.Count, units.FormatDuration(limit.Window))
	case o.Burst < 0 || o.Burst > nginxMost/nginxUnit:
		return fmt.Errorf("burst of %d requests is outside 0 to %d", o.Burst, nginxMost/nginxUnit)
	case o.Delay < 0:
		return fmt.Errorf("delay of %d requests is negative", o.Delay)
	}
	return nil
}

// nginxRate returns the rate in thousandths of a request a second, rounded down:
// rate*1000 of r/s and rate*1000/60 of r/m.
func nginxRate(limit Limit) int64 {
	return integers.MulDiv(limit.Count, 1e12, limit.Window, math.MaxInt64)
}

// nginxState is what nginx stores about a key.
type nginxState struct {
	excess int64 // thousandths of a request
	last   int64 // ms, from 1 so that the zero state has seen no request
}

type nginxRule struct {
	rate, burst, delay int64 // thousandths of a request: a second, and twice each
}

func newNginxRule(limit Limit, o LeakyBucketOptions) nginxRule {
	must(CheckNginx(limit, o))
	r := nginxRule{rate: nginxRate(limit), burst: o.Burst * nginxUnit, delay: min(o.Delay, nginxMost/nginxUnit) * nginxUnit}
	if o.NoDelay {
		r.delay = math.MaxInt64
	}
	return r
}

// milliseconds returns nginx's time of an instant.
func milliseconds(now int64) int64 { return now/1e6 + 1 }

// elapsed returns the time since the latest admitted request, in ms. A clock that
// is set back by more than a minute has gone on by 1 ms.
func (s *nginxState) elapsed(ms int64) int64 {
	switch passed := ms - s.last; {
	case passed < -60_000:
		return 1
	case passed < 0:
		return 0
	default:
		return passed
	}
}

// found returns the excess of a request of cost 1 at this time.
func (r *nginxRule) found(s *nginxState, ms int64) int64 {
	if s.last == 0 {
		return 0
	}
	return max(s.excess-r.drained(s.elapsed(ms))+nginxUnit, 0)
}

func (r *nginxRule) drained(ms int64) int64 {
	return integers.MulDiv(r.rate, ms, 1000, math.MaxInt64)
}

// beyond returns the excess that a cost of 1 or more adds to that of one request.
func beyond(cost int64) int64 { return integers.Mul(cost-1, nginxUnit, math.MaxInt64/2) }

func (r *nginxRule) queue(s *nginxState, now, cost int64) (Verdict, int64) {
	ms := milliseconds(now)
	found := r.found(s, ms)
	if cost > 0 {
		excess := found + beyond(cost)
		if excess > r.burst {
			return Rejected, now
		}
		if s.last == 0 || s.elapsed(ms) != 0 {
			s.last = ms
		}
		s.excess = excess
	}
	if found <= r.delay {
		return Admitted, now
	}
	delay := integers.MulDiv(found-r.delay, 1000, r.rate, math.MaxInt64)
	if delay == 0 {
		return Admitted, now
	}
	return Admitted, integers.Mul(integers.Add(ms-1, delay), 1e6, math.MaxInt64)
}

func (r *nginxRule) level(s *nginxState, now int64) int64 {
	room := r.burst - r.found(s, milliseconds(now))
	if room < 0 {
		return 0
	}
	return room/nginxUnit + 1
}

func (r *nginxRule) largest() int64 { return r.burst/nginxUnit + 1 }

func (r *nginxRule) retryAt(s *nginxState, now, cost int64) int64 {
	if r.found(s, milliseconds(now))+beyond(cost) <= r.burst {
		return now
	}
	wait := integers.MulDivUp(s.excess+nginxUnit+beyond(cost)-r.burst, 1000, r.rate, math.MaxInt64)
	return max(now, integers.Mul(integers.Add(s.last-1, wait), 1e6, math.MaxInt64))
}

func (r *nginxRule) fields(s *nginxState) []StateField {
	return []StateField{
		{"excess_thousandths", s.excess},
		{"rate_thousandths_per_s", r.rate},
		{"burst_thousandths", r.burst},
		{"last_ms", s.last - 1},
	}
}

// NginxLimitReqs is a table of keys as nginx's limit_req counts them. It takes 16
// bytes per key.
//
// A request of cost c counts as c requests that arrive together, of which the first
// is delayed and the others follow it. Cost 0 is always admitted and waits in the
// queue. The limits of a second and of a minute are those that nginx can be
// configured with; the rate of any other period is rounded down likewise. A change
// of the limit is a reload: the excess stays, and all that drains from then on
// drains at the new rate. Times are nanoseconds, 0 or later.
type NginxLimitReqs struct {
	states[nginxState, nginxRule, *nginxRule]
}

var _ Queue = (*NginxLimitReqs)(nil)

// NewNginxLimitReqs returns keys without excess for keys 0 to keys-1. It panics if
// CheckNginx(limit, o) fails.
func NewNginxLimitReqs(limit Limit, o LeakyBucketOptions, keys int) *NginxLimitReqs {
	return &NginxLimitReqs{newStates[nginxState](newNginxRule(limit, o), keys)}
}

// Under puts the keys under another limit, as a second limit_req of the same zone does.
func (t *NginxLimitReqs) Under(limit Limit, o LeakyBucketOptions) { t.rule = newNginxRule(limit, o) }

// Take decides one request.
func (t *NginxLimitReqs) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	return t.rule.queue(&t.state[key], now, cost)
}
