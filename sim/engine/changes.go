package engine

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Sharing returns the part of a policy's limit that one counter grants while so
// many clients are alive.
type Sharing func(limit counting.Limit, clients int) counting.Limit

// Whole grants the whole limit. It is the Sharing of a counter that decides
// alone.
func Whole(limit counting.Limit, _ int) counting.Limit { return limit }

// ClientsAt returns the number of clients that are alive at now.
func (s *Setting) ClientsAt(now int64) int {
	if n := s.Faults.Active(now); n > 0 {
		return n
	}
	return s.Clients()
}

// LimitAt returns the limit in force at now. Faults change its count and its
// burst, never its window. A burst of 0 stays 0; any other burst is at least 1.
func (s *Setting) LimitAt(limit counting.Limit, now int64) counting.Limit {
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

// Changes lists the instants at which faults change what a counter grants of a
// limit. The first change is relative to the counter's share of the limit as
// written.
func (s *Setting) Changes(limit counting.Limit, share Sharing) []counting.Change {
	var changes []counting.Change
	last := share(limit, s.Clients())
	for at := s.Faults.Next(math.MinInt64); at < faults.Never; at = s.Faults.Next(at) {
		if l := share(s.LimitAt(limit, at), s.ClientsAt(at)); l != last {
			changes = append(changes, counting.Change{At: at, Limit: l})
			last = l
		}
	}
	return changes
}

// NewTable returns an algorithm's counters under a share of a limit. Faults may
// change the limit while the counters run.
func (s *Setting) NewTable(a *scenarios.Algorithm, limit counting.Limit, share Sharing, keys int) (counting.Table, error) {
	return counting.NewChanging(a.Counter, share(limit, s.Clients()), s.Changes(limit, share), a.Options, keys)
}

// NewQueue is NewTable for counters that delay requests.
func (s *Setting) NewQueue(a *scenarios.Algorithm, limit counting.Limit, keys int) (counting.Queue, error) {
	return counting.NewChangingQueue(a.Counter, limit, s.Changes(limit, Whole), a.Options, keys)
}

// CheckLimits returns the first error of check among the limits that faults put
// in force.
func (s *Setting) CheckLimits(check func(counting.Limit) error) error {
	for _, c := range s.Changes(s.Limit, Whole) {
		if err := check(c.Limit); err != nil {
			return fmt.Errorf("with a limit of %d per %s: %w", c.Limit.Count, units.FormatDuration(c.Limit.Window), err)
		}
	}
	return nil
}
