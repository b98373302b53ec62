package enforcements

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/lanes"
)

// Policy is one of several policies, all of which that apply must let a request
// through.
type Policy struct {
	Name     string
	Limit    counters.Limit
	From, To int32 // its keys: From <= key < To
}

// Several reports whether requests carry descriptors, any number of keys each,
// under the setting's policies.
func (s *Setting) Several() bool { return s.Policies != nil }

// PolicyOf is the index of the policy that a key belongs to.
func (s *Setting) PolicyOf(key int32) int {
	for i := range s.Policies {
		if key < s.Policies[i].To {
			return i
		}
	}
	panic(fmt.Sprintf("enforcements: there is no key %d", key))
}

// LimitOf is the limit that a key is under.
func (s *Setting) LimitOf(key int32) counters.Limit {
	if !s.Several() {
		return s.Limit
	}
	return s.Policies[s.PolicyOf(key)].Limit
}

// errOnePolicy is what enforcements and counters say that take one key a request.
var errOnePolicy = errors.New("works with one policy and one descriptor a request, and this scenario has more")

// isJoint reports whether requests are decided one by one under all their keys:
// where they have several, and where a refusal drains.
func isJoint(s *Setting, a *scenarios.Algorithm) bool {
	return s.Several() || counters.JointOf(a.Options).Drains
}

// eachLimit is the limit of each policy, with the number of its keys.
func (s *Setting) eachLimit(f func(limit counters.Limit, keys int) error) error {
	if !s.Several() {
		return f(s.Limit, s.Keys)
	}
	for _, p := range s.Policies {
		if err := f(p.Limit, int(p.To-p.From)); err != nil {
			return fmt.Errorf("policy %s: %w", p.Name, err)
		}
	}
	return nil
}

// newTables makes an algorithm's counters under a share of every policy's limit.
func newTables(s *Setting, a *scenarios.Algorithm, share sharing) (counters.Table, error) {
	all := &counters.Concat{}
	err := s.eachLimit(func(limit counters.Limit, keys int) error {
		table, err := s.newTable(a, limit, share, keys)
		if err == nil {
			all.Add(table, keys)
		}
		return err
	})
	return all, err
}

// jointDecider asks all counters of a request, at once, for everybody.
type jointDecider struct {
	joint counters.Joint
	table counters.Table
}

func (d jointDecider) Decide(a *lanes.Arrivals, lo, hi int, verdicts []counters.Verdict) int {
	for i := lo; i < hi; i++ {
		verdicts[i-lo] = d.joint.Take(d.table, a.Keys(i), a.Time[i], a.Cost[i])
	}
	return hi - lo
}

func (jointDecider) Next() int64 { return lanes.Never }
func (jointDecider) Step(int64)  {}

func (d jointDecider) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return d.table.Level(key, now), d.table.RetryAt(key, now, cost)
}

// Exact is the exact limiter of one of the policies.
type Exact struct {
	Table counters.Table
	Keys  int
}

// NewReference decides as the policies mean it: a request passes when the exact
// limiter of every policy that applies lets it through, and one that is refused
// charges nobody.
func NewReference(s *Setting, list []Exact) lanes.Decider {
	if !s.Several() {
		return centralDecider{list[0].Table}
	}
	all := &counters.Concat{}
	for _, e := range list {
		all.Add(e.Table, e.Keys)
	}
	return jointDecider{counters.Joint{ChargeNone: true}, all}
}
