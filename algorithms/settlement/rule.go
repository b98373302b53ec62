package settlement

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Rule says what requests are charged on arrival. It is not safe for concurrent use.
type Rule struct {
	config Config
	all    quantile
	byKey  map[int32]*quantile
}

// NewRule returns a rule that has seen no answers.
func NewRule(c Config) *Rule { return &Rule{config: c, byKey: map[int32]*quantile{}} }

// Charge returns the tokens that a request with this estimate takes on arrival. Keys
// are all its keys.
func (r *Rule) Charge(keys []int32, estimate int64) int64 {
	if r.config.Way == ReserveQuantile {
		return r.reservation(keys)
	}
	return r.config.Largest(estimate)
}

// reservation returns the largest quantile of the keys.
func (r *Rule) reservation(keys []int32) (tokens int64) {
	if !r.config.ByKey {
		return r.all.of(r.config.Quantile, r.config.Maximum)
	}
	for _, key := range keys {
		q := r.byKey[key]
		if q == nil {
			return r.config.Maximum
		}
		tokens = max(tokens, q.of(r.config.Quantile, r.config.Maximum))
	}
	return tokens
}

// Take decides a request under all its keys, which takes this charge on arrival. With
// CheckThenDeduct it is admitted if all of them would admit a cost of 1.
func (r *Rule) Take(joint counting.Joint, t counting.Taker, keys []int32, now, charge int64) counting.Verdict {
	if r.config.Way != CheckThenDeduct {
		return joint.Take(t, keys, now, charge)
	}
	verdict := counting.Admitted
	for _, key := range keys {
		if t.RetryAt(key, now, 1) > now {
			verdict = counting.Rejected
		}
	}
	return verdict
}

// Learn notes the actual cost of an answered request.
func (r *Rule) Learn(keys []int32, cost int64) {
	if r.config.Way != ReserveQuantile {
		return
	}
	if !r.config.ByKey {
		r.all.add(cost, r.config.Answers)
		return
	}
	for _, key := range keys {
		q := r.byKey[key]
		if q == nil {
			q = &quantile{}
			r.byKey[key] = q
		}
		q.add(cost, r.config.Answers)
	}
}
