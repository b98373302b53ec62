package routing

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// autosharder assigns keys in the manner of Dicer. The hash space is divided into
// equal slices, and at first each server has a range of them, like the assignment
// of Owner. It measures the load of each slice, and periodically moves slices from
// servers above the tolerance to the least loaded ones. The slices of a failed
// server, or of one that leaves, move to the others at once; a recovered server gets
// slices at the next rebalance, and one that joins at once.
//
// Dicer also splits and merges slices, to keep their number within 32 to 64 per
// server. Here the slices stay: a slice with one hot key keeps that key and a 64th
// of a server's other keys.
type autosharder struct {
	count     int    // of slices
	tolerance uint64 // load above the mean that a server may have, in 2^-16 of the mean
	rebalance int64
	balanceAt int64 // time of the next rebalance
	servers   membership
	load      loads
	owners    history[[]int32] // by slice
}

func newAutosharder(c Config) *autosharder {
	above := c.Slices.Tolerance
	s := &autosharder{
		count:     c.Servers * c.Slices.PerServer,
		tolerance: uint64(integers.MulDiv(above.Num, 1<<16, max(above.Den, 1), math.MaxInt64)),
		rebalance: c.Slices.Rebalance,
		balanceAt: c.Start + min(c.Slices.Rebalance, never-1-c.Start),
		servers:   newMembership(c.Servers),
	}
	s.load = newLoads(s.count, c.Start)
	s.owners.set(&c)
	first := make([]int32, s.count)
	for i := range first {
		first[i] = int32(i / c.Slices.PerServer)
	}
	s.owners.add(c.Start, first)
	return s
}

func (s *autosharder) Owner(key int32) int32 { return (*s.owners.newest())[part(Hash(key), s.count)] }

func (s *autosharder) Known(key int32, now int64) int32 {
	return (*s.owners.known(now))[part(Hash(key), s.count)]
}

func (s *autosharder) Served(now int64, key int32, cost int64) {
	s.load.add(now, part(Hash(key), s.count), cost)
}

func (s *autosharder) Version() int { return s.owners.count }
func (s *autosharder) Next() int64  { return s.balanceAt }

func (s *autosharder) Fail(now int64, server int32) {
	if s.servers.setFailed(server, true) {
		s.assign(now, false)
	}
}

func (s *autosharder) Recover(_ int64, server int32) { s.servers.setFailed(server, false) }

// Join adds a server and rebalances at once: the autosharder knows of a server that
// is added on purpose.
func (s *autosharder) Join(now int64) {
	s.servers.join()
	s.assign(now, true)
}

func (s *autosharder) Leave(now int64, server int32) {
	if s.servers.leave(server) {
		s.assign(now, false)
	}
}

// Step rebalances if that is due.
func (s *autosharder) Step(now int64) {
	if now >= s.balanceAt {
		s.balanceAt += (now-s.balanceAt)/s.rebalance*s.rebalance + s.rebalance
		s.assign(now, true)
	}
}

// assign puts a new assignment in force if it differs from the last one and a
// server is up.
func (s *autosharder) assign(now int64, balance bool) {
	if s.servers.up == 0 {
		return
	}
	s.load.reach(now)
	b := newBalance(*s.owners.newest(), s.load.of, s.servers.down)
	b.rescue()
	if balance {
		b.even(s.tolerance, s.servers.up)
	}
	if b.moves > 0 {
		s.owners.add(now, b.owner)
	}
}
