package network

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Changes follows the faults that change nodes: restarts, autoscaling, limits.
type Changes struct {
	Apply      func(Change) // runs a change for Follow
	NextChange int64        // when any fault next begins or ends, or engine.Never
	Active     int32        // clients; their numbers are 0 to Active-1
	setting    *engine.Setting
	servers    int32
	last       int64
	limit      counting.Limit
}

// Change describes what faults change at an instant.
type Change struct {
	At        int64
	Restarted []int32        // servers that lose their memory
	Failovers int            // of the store
	Saves     bool           // the store's state is what its next failover restores
	Active    int32          // active clients
	Before    int32          // clients active before
	Limit     counting.Limit // in force
	Limited   bool           // Limit is new
}

// NewChanges returns the state before the first fault of a trial. It ignores
// restarts of servers whose number is not below servers.
func NewChanges(t *engine.Trial, servers int) Changes {
	c := Changes{NextChange: engine.Never, Active: int32(t.Clients()), setting: t.Setting, servers: int32(servers), last: t.Origin - 1, limit: t.Limit}
	if t.Faults != nil {
		c.NextChange = t.Origin
	}
	return c
}

// Follow runs the changes up to now.
func (c *Changes) Follow(now int64) {
	for c.NextChange <= now {
		c.Apply(c.Advance())
	}
}

// Advance goes on to NextChange and returns what changes then.
func (c *Changes) Advance() Change {
	s, at := c.setting, c.NextChange
	s.Faults.Decide(at)
	change := Change{At: at, Saves: s.Faults.Saves(at), Active: int32(s.ClientsAt(at)), Before: c.Active, Limit: s.LimitAt(s.Limit, at)}
	for _, r := range s.Faults.Lost(c.last, at) {
		switch {
		case r.Server == faults.Store:
			change.Failovers++
		case r.Server >= 0 && r.Server < c.servers:
			change.Restarted = append(change.Restarted, r.Server)
			s.Faults.Forgets(r)
		}
	}
	change.Limited = change.Limit != c.limit
	c.last, c.NextChange, c.Active, c.limit = at, s.Faults.Next(at), change.Active, change.Limit
	return change
}
