package callers

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Share allows retries in proportion to the calls that are open: a retry needs fewer
// retries, open or waiting, than max(floor(share * open calls), min). Source: Envoy
// RetryBudgetImpl of source/common/upstream/resource_manager_impl.h with budget_interval 0,
// which multiplies in floats; its defaults are 20 % and 3.
type Share struct {
	idle
	num, den, least, retries int64
}

// NewShare returns a budget for the share num/den, at most 1000, with a den of up to 4e9.
// least is the number of retries that are always allowed, from 0 on.
func NewShare(num, den, least int64) *Share {
	if checkShare(num, den); least < 0 {
		panic("callers: the least number of retries is negative")
	}
	return &Share{num: num, den: den, least: least}
}

// Retry implements Budget.
func (s *Share) Retry(_, open int64) bool {
	if s.retries >= max(integers.MulDiv(s.num, open, s.den, math.MaxInt64), s.least) {
		return false
	}
	s.retries++
	return true
}

// Ended implements Budget.
func (s *Share) Ended() { s.retries-- }
