package libraries

import (
	"math/rand/v2"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// finding is the shortest sequence of calls in which a library differs from its
// promise.
type finding struct {
	policy  gauge.Policy
	calls   []call
	answers []answer
	difference
}

// policies are those of the sessions. A shorter sequence wins; of equal ones, that
// of the earlier policy.
var policies = []gauge.Policy{
	{Limit: 1, Window: time.Second, Burst: 1},
	{Limit: 2, Window: time.Second, Burst: 2},
	{Limit: 10, Window: time.Second, Burst: 3},
	{Limit: 3, Window: time.Second, Burst: 1},
	{Limit: 7, Window: time.Second, Burst: 2},
	{Limit: 1000, Window: time.Minute, Burst: 5},
	{Limit: 1, Window: time.Hour, Burst: 1},
}

const (
	sessionsPerPolicy = 60
	callsPerSession   = 30
)

// search looks for the shortest sequence of calls that a library answers unlike its
// promise, by more than a tolerance. It returns nil if no session has one. It must
// run in a bubble.
func search(l library, toleranceNs int64) *finding {
	var best *finding
	lightest := 0
	for n, p := range policies {
		fails := func(calls []call) bool { return differs(l, p, calls, toleranceNs) }
		for session := range sessionsPerPolicy {
			calls := draw(rand.New(rand.NewPCG(uint64(n), uint64(session))), l, p)
			if !fails(calls) {
				continue
			}
			calls = minimise(calls, fails)
			if w := weight(calls) + 10*n; best == nil || w < lightest {
				answers := play(l, p, calls)
				d, _ := compare(l, p, calls, answers, toleranceNs)
				best, lightest = &finding{p, calls, answers, d}, w
			}
		}
	}
	return best
}

// differs reports whether the library answers one of the calls unlike its promise.
// With a tolerance, it must do so as well if each gap is longer by the tolerance, so
// that no instant of a change is met by chance.
func differs(l library, p gauge.Policy, calls []call, toleranceNs int64) bool {
	if _, differs := compare(l, p, calls, play(l, p, calls), toleranceNs); !differs || toleranceNs == 0 {
		return differs
	}
	longer := append([]call{}, calls...)
	for i := range longer {
		longer[i].atNs += int64(i) * toleranceNs
	}
	_, differs := compare(l, p, longer, play(l, p, longer), toleranceNs)
	return differs
}

// draw returns a random session. Its times are near those at which the exact
// limiter changes its answer, near boundaries of windows, and at random.
func draw(r *rand.Rand, l library, p gauge.Policy) []call {
	judge := newJudge(l, p)
	tick, window := int64(p.Window)/p.Limit, int64(p.Window)
	calls := make([]call, callsPerSession)
	now := int64(0)
	for i := range calls {
		c := call{cost: 1, key: r.IntN(10) / 9}
		if l.costs && r.IntN(8) == 0 {
			c.cost = 1 + r.Int64N(p.Burst)
		}
		switch r.IntN(8) {
		case 0, 1: // the same instant
		case 2:
			now += tick + r.Int64N(3) - 1
		case 3:
			now = now - now%tick + tick + r.Int64N(3) - 1
		case 4:
			now += window - now%window + r.Int64N(3) - 1
		case 5:
			now += r.Int64N(tick)
		case 6:
			now += r.Int64N(3 * window)
		case 7:
			if free := judge.RetryAt(int32(c.key), now, c.cost); free != counting.Never {
				now = max(now, free+r.Int64N(3)-1)
			}
		}
		c.atNs = now
		if judge.RetryAt(int32(c.key), now, c.cost) == now {
			judge.charge(c, now)
		}
		calls[i] = c
	}
	return calls
}
