// Package routing determines which server owns a key: by a plain hash, by the hash modulo
// the number of servers, by consistent hashing on a ring, or by slices of the hash space
// that an autosharder moves between servers. Make a [Map] with [New] and ask it for the
// owner of each key. Maps are pure state machines: now is an argument, in nanoseconds, and
// nothing is random; they do not move any state themselves.
//
// The package makes no promise: it can change at any time.
package routing

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Map assigns every key to a server. The times passed to a map must not go
// backwards. A Map is not safe for concurrent use.
type Map interface {
	// Owner returns the server that owns the key by the newest assignment.
	Owner(key int32) int32
	// Known returns the server that clients take for the key's owner at now. A
	// new assignment reaches the clients after the propagation time; until then a
	// moved key has two owners. A stale client may ask about an earlier time.
	Known(key int32, now int64) int32
	// Served records that a server served cost of a key at now.
	Served(now int64, key int32, cost int64)
	// Fail records that a server has failed, because its heartbeats are missing.
	// Its keys get other owners.
	Fail(now int64, server int32)
	// Recover records that a server works again.
	Recover(now int64, server int32)
	// Join adds a server, with the next number.
	Join(now int64)
	// Leave removes a server for good. Its keys get other owners.
	Leave(now int64, server int32)
	// Next returns the next time at which the newest assignment may change without
	// a failure or a new server, or counter.Never.
	Next() int64
	// Step makes the changes that are due at now.
	Step(now int64)
	// Version returns the number of assignments so far. While it does not change,
	// neither does any owner.
	Version() int
}

// never is after all times.
const never = int64(1<<63 - 1)

// Config describes a map.
type Config struct {
	Kind         Kind
	Servers      int   // at the start; at least 1
	Start        int64 // ns, when the map comes into force
	VirtualNodes int   `option:"virtual_nodes"` // ByRing: points per server
	Slices       Slicing
	Propagation  int64 `option:"propagation"` // ns until a new assignment reaches the clients
	Stale        int64 // ns for which Known is asked about earlier times than the present
}

// Kind is a method of assigning keys to servers.
type Kind uint8

const (
	ByHash Kind = iota
	ByModulo
	ByRing
	BySlices
)

var kinds = map[string]Kind{"hash": ByHash, "modulo": ByModulo, "ring": ByRing, "slices": BySlices}

// Slicing holds the parameters of an autosharder.
type Slicing struct {
	PerServer int            `option:"slices_per_server"` // initial slices per server
	Tolerance units.Fraction `option:"tolerance"`         // load above the mean that a server may have
	Rebalance int64          `option:"rebalance"`         // ns between two rebalances
}

// Choices returns the catalog entries of the kinds of map, for an option of an
// enforcement that shards its keys.
func Choices() []catalog.Entry {
	propagation := catalog.Field{Name: "propagation", Kind: catalog.Duration, Default: "1s", Min: "0s",
		Doc: "time until a new assignment reaches the clients; until then a moved key has two owners"}
	return []catalog.Entry{
		{Name: "hash", Summary: "owner = floor(hash(key) * servers / 2^64); keys move only if servers join or leave"},
		{Name: "modulo", Summary: "owner = hash(key) modulo the number of servers that are up; nearly all keys move when that number changes", Fields: []catalog.Field{propagation}},
		{Name: "ring", Summary: "consistent hashing: a key belongs to the next point on a ring, and each server has many points", Fields: []catalog.Field{
			{Name: "virtual_nodes", Kind: catalog.Int, Default: "100", Min: "1", Max: "10000", Doc: "points per server on the ring"},
			propagation,
		}},
		{Name: "slices", Summary: "an autosharder assigns slices of the hash space to servers and moves them to balance load (Dicer)", Fields: []catalog.Field{
			{Name: "slices_per_server", Kind: catalog.Int, Default: "64", Min: "1", Max: "1024", Doc: "slices per server; Dicer keeps 32 to 64"},
			{Name: "tolerance", Kind: catalog.Share, Default: "10%", Min: "0", Max: "100", Doc: "load above the mean at which a server keeps its slices"},
			{Name: "rebalance", Kind: catalog.Duration, Default: "1min", Min: "1ms", Doc: "time between two rebalances"},
			propagation,
		}},
	}
}

// ConfigFrom reads a Config from a bound choice of Choices, for a map that starts at
// the time start.
func ConfigFrom(choice catalog.Choice, servers int, start int64) Config {
	c := Config{Kind: kinds[choice.Name], Servers: servers, Start: start}
	choice.Values.Read(&c)
	choice.Values.Read(&c.Slices)
	return c
}

// maxPoints limits the points of a ring and the slices of a hash space.
const maxPoints = 1 << 23

// Check returns an error if a map cannot be made of c.
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
	case c.Slices.Rebalance < 1:
		return fmt.Errorf("rebalance must be at least 1 ns")
	case c.Slices.Tolerance.Num < 0 || c.Slices.Tolerance.Num > 0 && (c.Slices.Tolerance.Num-1)/100 >= c.Slices.Tolerance.Den:
		return fmt.Errorf("the tolerance must be between 0 and 100 times the mean")
	}
	return nil
}

// New returns the map with every server up. It panics if Check returns an error.
func New(c Config) Map {
	if err := c.Check(); err != nil {
		panic("routing: " + err.Error())
	}
	switch c.Kind {
	case ByRing:
		return newRing(&c)
	case BySlices:
		return newAutosharder(c)
	}
	return newCounted(&c)
}
