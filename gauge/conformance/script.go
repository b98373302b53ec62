package conformance

import "math"

// latest is the last time of a call, in ns: 146 years after 0, so that sums of a time
// and a span still fit an int64.
const latest = int64(1) << 62

// script writes the calls of a session. Each call goes to the counter as well, so that
// the next one can be placed where the counter's verdict changes.
type script struct {
	exact  *exact
	policy Policy
	keys   map[string]decider
	at     int64
	key    string // of the calls that follow
	calls  []Call
}

func newScript(e *exact, p Policy) *script {
	return &script{exact: e, policy: p, keys: map[string]decider{}}
}

// counter returns the counter of the script's key.
func (s *script) counter() decider {
	d, ok := s.keys[s.key]
	if !ok {
		d = s.exact.fresh(s.policy)
		s.keys[s.key] = d
	}
	return d
}

// largest is the largest cost of a call.
const largest = int64(math.MaxInt64)

// take writes a call and returns the counter's verdict.
func (s *script) take(cost int64) bool {
	cost = s.exact.cost(s.policy, cost) // a sum may have overflowed
	if n := len(s.calls); n > 0 && s.exact.apart {
		s.at = max(s.at, s.calls[n-1].AtNs+1)
	}
	s.calls = append(s.calls, Call{AtNs: s.at, Key: s.key, Cost: cost})
	return s.counter().take(s.at, cost)
}

// level returns the number of tokens that the counter would admit now, at least 0.
func (s *script) level() int64 { return max(s.counter().state.Level(0, s.at), 0) }

// wait moves the time on.
func (s *script) wait(ns int64) {
	if s.at <= s.exact.latest(s.policy)-ns && s.exact.idle(s.policy, ns) {
		s.at += ns
	}
}

// to moves the time to an instant. Unless it is between now and the latest time, the
// time stays.
func (s *script) to(at int64) {
	if at >= s.at && at <= s.exact.latest(s.policy) {
		s.at = at
	}
}

// toChange moves the time to offset ns after the counter would first admit the cost.
func (s *script) toChange(cost, offset int64) {
	if at := s.counter().state.RetryAt(0, s.at, cost); at <= s.exact.latest(s.policy) {
		s.to(at + offset)
	}
}

// takeAtChange makes a call of cost 1 at an offset from the instant at which the counter
// admits it.
func (s *script) takeAtChange(offset int64) {
	s.toChange(1, offset)
	s.take(1)
}

// toEdge moves the time to offset ns after the next multiple of the window.
func (s *script) toEdge(offset int64) {
	s.to((s.at/s.policy.Window+1)*s.policy.Window + offset)
}

// lot is the number of calls of cost 1 that a script sends in a row at most.
const lot = 30

// mostDrain is the number of calls after which a script stops to drain a counter whose
// level is large beside the costs that calls may have.
const mostDrain = 1000

// drain takes all that is left, the last tokens one by one, until a call is rejected.
func (s *script) drain() {
	for range mostDrain {
		level := s.level()
		if level <= lot {
			break
		}
		s.take(level - 3)
	}
	for range lot + 1 {
		if !s.take(1) {
			return
		}
	}
}
