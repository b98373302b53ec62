package engine

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
)

// Policy is one policy of a multi-policy scenario. A request must be admitted
// by all policies that apply to it.
type Policy struct {
	Name     string
	Limit    counting.Limit
	From, To int32 // its keys: From <= key < To
	MaxCost  int64 // largest cost of a request that it applies to; 1 if it counts requests
	Requests bool  // it counts requests, whatever they cost
}

// MultiPolicy reports whether requests carry descriptors: any number of keys
// under the setting's policies.
func (s *Setting) MultiPolicy() bool { return s.Policies != nil }

// PolicyOf returns the index of the policy that a key belongs to. It panics if
// there is none.
func (s *Setting) PolicyOf(key int32) int {
	for i := range s.Policies {
		if key < s.Policies[i].To {
			return i
		}
	}
	panic(fmt.Sprintf("enforcements: there is no key %d", key))
}

// LimitOf returns the limit of a key.
func (s *Setting) LimitOf(key int32) counting.Limit {
	if !s.MultiPolicy() {
		return s.Limit
	}
	return s.Policies[s.PolicyOf(key)].Limit
}

// ConformingDepth returns the depth of the bucket that admits all demand which conforms to
// a policy, if it refills at the rate of the limit. Over a span t the policy's reference
// admits at most its burst and what the rate earns; a sliding log L and that, because it
// admits L in each of the t/w + 1 windows that begin with a request; a fixed window 2L and
// that, because the span touches at most t/w + 2 windows.
func (s *Setting) ConformingDepth(policy int, limit counting.Limit) int64 {
	switch s.Scenario.Policies()[policy].Reference.Kind {
	case "sliding-log":
		return limit.Count
	case "fixed-window":
		return 2 * limit.Count
	}
	cost := s.MaxCost
	if s.MultiPolicy() && !s.Settles {
		cost = s.Policies[policy].MaxCost
	}
	return max(limit.Burst, cost, 1)
}

// ErrOnePolicy is the error of limiters and counters that support one key for
// each request.
var ErrOnePolicy = errors.New("works with one policy and one descriptor a request, and this scenario has more")

// IsJoint reports whether each request is decided under all its keys together:
// in multi-policy scenarios and if a rejection drains the counter.
func IsJoint(s *Setting, a *scenarios.Algorithm) bool {
	return s.MultiPolicy() || counting.JointOf(a.Options).Drains
}

// EachLimit calls f with the limit of each policy and the number of its keys,
// until f returns an error.
func (s *Setting) EachLimit(f func(limit counting.Limit, keys int) error) error {
	if !s.MultiPolicy() {
		return f(s.Limit, s.Keys)
	}
	for _, p := range s.Policies {
		if err := f(p.Limit, int(p.To-p.From)); err != nil {
			return fmt.Errorf("policy %s: %w", p.Name, err)
		}
	}
	return nil
}

// CheckTables returns an error if an algorithm cannot have counters under a share of every
// policy's limit, or of one that faults put in force.
func (s *Setting) CheckTables(a *scenarios.Algorithm, share Sharing) error {
	return s.EachLimit(func(limit counting.Limit, _ int) error {
		_, err := s.NewTable(a, limit, share, 0)
		return err
	})
}

// NewTables returns an algorithm's counters under a share of every policy's
// limit.
func NewTables(s *Setting, a *scenarios.Algorithm, share Sharing) (counting.Table, error) {
	all := &counting.Concat{}
	policy := 0
	err := s.EachLimit(func(limit counting.Limit, keys int) error {
		table, err := s.NewTable(a, limit, share, keys)
		if err == nil {
			if s.MultiPolicy() && s.Policies[policy].Requests {
				table = counting.PerRequest{Table: table}
			}
			all.Add(table, keys)
		}
		policy++
		return err
	})
	return all, err
}
