package engine

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Sharing is what one counter grants of a policy's limit while so many clients
// are alive.
type Sharing func(limit counter.Limit, clients int) counter.Limit

// Whole is the share of somebody who decides alone.
func Whole(limit counter.Limit, _ int) counter.Limit { return limit }

// ClientsAt is how many clients are alive at an instant.
func (s *Setting) ClientsAt(now int64) int {
	if n := s.Faults.Active(now); n > 0 {
		return n
	}
	return s.Clients()
}

// LimitAt is a policy's limit at an instant: its count and its burst change,
// never its window. A burst of 0 stays one, any other is at least 1.
func (s *Setting) LimitAt(limit counter.Limit, now int64) counter.Limit {
	num, den := s.Faults.LimitScale(now)
	if num == den {
		return limit
	}
	limit.Count = limit.Count * num / den
	if limit.Burst > 0 {
		limit.Burst = max(limit.Burst*num/den, 1)
	}
	return limit
}

// Changes are the instants at which faults change what a counter grants of a
// policy's limit, from a share of the limit as written on.
func (s *Setting) Changes(limit counter.Limit, share Sharing) []counter.Change {
	var changes []counter.Change
	last := share(limit, s.Clients())
	for at := s.Faults.Next(math.MinInt64); at < faults.Never; at = s.Faults.Next(at) {
		if l := share(s.LimitAt(limit, at), s.ClientsAt(at)); l != last {
			changes = append(changes, counter.Change{At: at, Limit: l})
			last = l
		}
	}
	return changes
}

// NewTable makes an algorithm's counters under a share of a limit, which faults
// may change while they run.
func (s *Setting) NewTable(a *scenarios.Algorithm, limit counter.Limit, share Sharing, keys int) (counter.Table, error) {
	return counter.NewChanging(a.Counter, share(limit, s.Clients()), s.Changes(limit, share), a.Options, keys)
}

// NewQueue is NewTable for counters that delay.
func (s *Setting) NewQueue(a *scenarios.Algorithm, limit counter.Limit, keys int) (counter.Queue, error) {
	return counter.NewChangingQueue(a.Counter, limit, s.Changes(limit, Whole), a.Options, keys)
}

// CheckLimits says whether an algorithm can run under each limit that faults put
// in force.
func (s *Setting) CheckLimits(config func(s *Setting, limit counter.Limit) error) error {
	for at := s.Faults.Next(s.Origin - 1); at != faults.Never; at = s.Faults.Next(at) {
		if err := config(s, s.LimitAt(s.Limit, at)); err != nil {
			return err
		}
	}
	return nil
}
