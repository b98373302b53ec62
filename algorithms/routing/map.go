// Package routing says which server owns a key: by a plain hash, on a ring of
// consistent hashing, or by slices of the hash space that an autosharder moves
// between servers. Maps are pure state machines in integers: now is an argument
// in nanoseconds, and nothing is drawn.
package routing

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Map assigns every key to one of a number of servers. Times given to one map
// must not go backwards. A Map is not safe for use by several goroutines.
type Map interface {
	// Owner is the server that owns the key by the newest assignment.
	Owner(key int32) int32
	// Known is the server that a client takes for the key's owner at now: its
	// assignment is older than the newest by the time that one takes to reach
	// it, so that for a moment a key has two owners.
	Known(key int32, now int64) int32
	// Served tells that a server was asked cost of a key at now.
	Served(now int64, key int32, cost int64)
	// Fail tells that a server is missed from now on, because no heartbeat has
	// come for a while: its keys get other owners. Recover tells that it is back.
	Fail(now int64, server int32)
	Recover(now int64, server int32)
	// Next is the next instant at which the newest assignment may change of
	// its own accord, or counters.Never; Step runs what is due at now.
	Next() int64
	Step(now int64)
	// Version counts the assignments there have been: while it stays the same,
	// so do all owners.
	Version() int
}

// never is later than any instant.
const never = int64(1<<63 - 1)

// Config is a map in plain values.
type Config struct {
	Kind         Kind
	Servers      int   // at least 1
	Start        int64 // ns, when the map comes into force
	VirtualNodes int   // Ring: points of each server
	Slices       Slicing
	Propagation  int64 // ns that a new assignment takes to reach the clients
}

// Kind is how keys find their owners.
type Kind uint8

const (
	ByHash Kind = iota
	ByRing
	BySlices
)

var kinds = map[string]Kind{"hash": ByHash, "ring": ByRing, "slices": BySlices}

// Slicing is what an autosharder goes by.
type Slicing struct {
	PerServer int            // slices for each server there is at the start
	Tolerance units.Fraction // load above the mean that is left alone
	Rebalance int64          // ns between two rebalances
	HalfLife  int64          // ns in which the weight of past load halves
}

// Choices declares the kinds of map, for an option of an enforcement that
// shards its keys.
func Choices() []catalog.Entry {
	propagation := catalog.Field{Name: "propagation", Kind: catalog.Duration, Default: "1s", Min: "0s",
		Doc: "time that a new assignment takes to reach the clients; until then a moved key has two owners"}
	return []catalog.Entry{
		{Name: "hash", Summary: "owner = floor(hash(key) * servers / 2^64); nothing ever moves"},
		{Name: "ring", Summary: "consistent hashing: a key belongs to the next point on a ring, and each server has many points", Fields: []catalog.Field{
			{Name: "virtual_nodes", Kind: catalog.Int, Default: "100", Min: "1", Max: "10000", Doc: "points of each server on the ring"},
			propagation,
		}},
		{Name: "slices", Summary: "an autosharder assigns slices of the hash space to servers and moves them to balance load (Dicer)", Fields: []catalog.Field{
			{Name: "slices_per_server", Kind: catalog.Int, Default: "64", Min: "1", Max: "1024", Doc: "slices for each server; Dicer keeps 32 to 64"},
			{Name: "tolerance", Kind: catalog.Share, Default: "10%", Min: "0", Max: "100", Doc: "load of a server above the mean that is left alone"},
			{Name: "rebalance", Kind: catalog.Duration, Default: "1min", Min: "1ms", Doc: "time between two rebalances"},
			{Name: "half_life", Kind: catalog.Duration, Default: "120s", Min: "1ms", Doc: "time in which the weight of past load halves"},
			propagation,
		}},
	}
}

// ConfigFrom reads a Config from a bound choice of Choices.
func ConfigFrom(choice catalog.Choice, servers int, start int64) Config {
	v := choice.Values
	c := Config{Kind: kinds[choice.Name], Servers: servers, Start: start}
	if c.Kind == ByHash {
		return c
	}
	c.Propagation = v.Duration("propagation")
	if c.Kind == ByRing {
		c.VirtualNodes = int(v.Int("virtual_nodes"))
		return c
	}
	c.Slices = Slicing{
		PerServer: int(v.Int("slices_per_server")),
		Tolerance: v.Share("tolerance"),
		Rebalance: v.Duration("rebalance"),
		HalfLife:  v.Duration("half_life"),
	}
	return c
}

// maxPoints bounds the points of a ring and the slices of a hash space.
const maxPoints = 1 << 23

// Check says whether a map can be made of the configuration.
func (c *Config) Check() error {
	switch {
	case c.Servers < 1:
		return fmt.Errorf("%d servers: at least 1 is needed", c.Servers)
	case c.Propagation < 0:
		return fmt.Errorf("propagation cannot be negative")
	case c.Kind == ByRing && (c.VirtualNodes < 1 || c.VirtualNodes > maxPoints/c.Servers):
		return fmt.Errorf("%d virtual nodes for each of %d servers are not between 1 and %d points in all", c.VirtualNodes, c.Servers, maxPoints)
	case c.Kind != BySlices:
		return nil
	case c.Slices.PerServer < 1 || c.Slices.PerServer > maxPoints/c.Servers:
		return fmt.Errorf("%d slices for each of %d servers are not between 1 and %d in all", c.Slices.PerServer, c.Servers, maxPoints)
	case c.Slices.Rebalance < 1 || c.Slices.HalfLife < 1:
		return fmt.Errorf("rebalance and half_life must be at least 1 ns")
	case c.Slices.Tolerance.Num < 0 || c.Slices.Tolerance.Num > 0 && c.Slices.Tolerance.Num/100 > c.Slices.Tolerance.Den:
		return fmt.Errorf("the tolerance must be between 0 and 100 times the mean")
	}
	return nil
}

// New returns the map, with every server up. It panics where Check objects.
func New(c Config) Map {
	if err := c.Check(); err != nil {
		panic("sharding: " + err.Error())
	}
	switch c.Kind {
	case ByRing:
		return newRing(c)
	case BySlices:
		return newAutosharder(c)
	}
	return hashed{servers: c.Servers}
}
