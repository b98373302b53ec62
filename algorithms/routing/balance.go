package routing

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// balance computes one new assignment.
type balance struct {
	owner  []int32 // of each slice
	load   []uint64
	down   []bool
	total  []uint64  // load of each server
	slices [][]int32 // of each server
	moves  int
}

func newBalance(owner []int32, load []uint64, down []bool) *balance {
	b := &balance{
		owner: slices.Clone(owner), load: load, down: down,
		total: make([]uint64, len(down)), slices: make([][]int32, len(down)),
	}
	for slice, server := range owner {
		b.total[server] += load[slice]
		b.slices[server] = append(b.slices[server], int32(slice))
	}
	return b
}

// rescue moves the slices of servers that are down to the least loaded servers that
// are up; among equal loads, to the server with the fewest slices.
func (b *balance) rescue() {
	for server, down := range b.down {
		for down && len(b.slices[server]) > 0 {
			b.move(int32(server), b.coldest(), 0)
		}
	}
}

// even moves slices one at a time from the most loaded server to the least loaded one,
// while the former is above the mean by more than tolerance/2^16 of it. It selects the
// slice that leaves the higher of the two loads as low as possible. A server that no move
// relieves keeps its slices.
func (b *balance) even(tolerance uint64, up int) {
	mean := uint64(0)
	for _, load := range b.total {
		mean += load
	}
	mean /= uint64(up)
	highest := mean + integers.MulDiv(mean, tolerance, 1<<16, math.MaxInt64)
	stuck := make([]bool, len(b.total))
	for {
		hot := b.hottest(stuck)
		if hot < 0 || b.total[hot] <= highest {
			return
		}
		cold := b.coldest()
		at, least := -1, b.total[hot]
		for i, slice := range b.slices[hot] {
			load := b.load[slice]
			if higher := max(b.total[hot]-load, b.total[cold]+load); load > 0 && higher < least {
				at, least = i, higher
			}
		}
		if at < 0 {
			stuck[hot] = true
			continue
		}
		b.move(hot, cold, at)
	}
}

// move moves the slice at a place of one server's list to another server.
func (b *balance) move(from, to int32, at int) {
	list := b.slices[from]
	slice := list[at]
	b.slices[from] = append(list[:at], list[at+1:]...)
	b.slices[to] = append(b.slices[to], slice)
	b.total[from] -= b.load[slice]
	b.total[to] += b.load[slice]
	b.owner[slice] = to
	b.moves++
}

// hottest returns the most loaded server that is up and not stuck, or -1.
func (b *balance) hottest(stuck []bool) int32 {
	at := int32(-1)
	for server, load := range b.total {
		if !stuck[server] && !b.down[server] && (at < 0 || load > b.total[at]) {
			at = int32(server)
		}
	}
	return at
}

// coldest returns the least loaded server that is up.
func (b *balance) coldest() int32 {
	at := int32(-1)
	for server, load := range b.total {
		if b.down[server] {
			continue
		}
		if at < 0 || load < b.total[at] || load == b.total[at] && len(b.slices[server]) < len(b.slices[at]) {
			at = int32(server)
		}
	}
	return at
}
