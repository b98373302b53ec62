package counting

import "github.com/limitgauge/limitgauge/internal/lists"

// readable is the part of a rule that does not decide. A rule R holds what all
// keys of a counter share; its methods read one key's state S. Every rule also
// has a method take, which the types that decide call directly.
type readable[S, R any] interface {
	*R
	level(s *S, now int64) int64
	// largest returns the largest cost that the rule can ever admit.
	largest() int64
	// retryAt returns when a cost from 1 to largest would be admitted.
	retryAt(s *S, now, cost int64) int64
	fields(s *S) []StateField
}

// states is a counter for keys 0 to n-1.
type states[S, R any, P readable[S, R]] struct {
	rule    R
	state   []S
	touched int64 // keeps the reads of perkey.Touch alive
}

func newStates[S, R any, P readable[S, R]](rule R, keys int) states[S, R, P] {
	return states[S, R, P]{rule: rule, state: make([]S, keys)}
}

// Reach adds keys in their initial state up to the key.
func (t *states[S, R, P]) Reach(key int32) { t.state = lists.Reach(t.state, key) }

// Forget resets the key to the state before its first request.
func (t *states[S, R, P]) Forget(key int32) { t.state[key] = *new(S) }

// Level returns how many requests of cost 1 the key would admit at now, one after
// the other; see Table.
func (t *states[S, R, P]) Level(key int32, now int64) int64 {
	return P(&t.rule).level(&t.state[key], now)
}

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (t *states[S, R, P]) RetryAt(key int32, now, cost int64) int64 {
	switch rule := P(&t.rule); {
	case cost <= 0:
		return now
	case cost > rule.largest():
		return Never
	default:
		return rule.retryAt(&t.state[key], now, cost)
	}
}

// State returns the key's state as named numbers.
func (t *states[S, R, P]) State(key int32) []StateField { return P(&t.rule).fields(&t.state[key]) }
