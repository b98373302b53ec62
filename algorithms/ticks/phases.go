// Package ticks computes when, within an interval, each of many nodes performs a
// periodic task. Call [Phase.First] for the first tick of each node; the others
// follow every interval. The package holds no clock and starts no timers.
//
// The package makes no promise: it can change at any time.
package ticks

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Phase is the position of the nodes' ticks relative to each other.
type Phase uint8

const (
	Aligned      Phase = iota // all nodes at multiples of the interval
	Staggered                 // node i of N at (i+0.5)/N of the interval
	Random                    // each node at a random point of the interval
	CommonRandom              // all nodes at one random point of the interval
)

// Names lists the names of the phases in their order, Named the phase of each name.
var (
	Names = []string{"aligned", "staggered", "random", "common-random"}
	Named = map[string]Phase{"aligned": Aligned, "staggered": Staggered, "random": Random, "common-random": CommonRandom}
)

// Coin is a source of random bits.
type Coin interface{ Uint64() uint64 }

// Draws reports whether the phase uses a coin.
func (p Phase) Draws() bool { return p == Random || p == CommonRandom }

// First returns the time of each node's first tick, 0 to interval-1. Random draws
// from the coin once per node, in their order, and CommonRandom once; a draw becomes
// floor(draw*interval/2^64).
func (p Phase) First(nodes int, interval int64, coin Coin) []int64 {
	first := make([]int64, nodes)
	for i := range first {
		switch {
		case p == Staggered:
			first[i] = integers.MulDiv(int64(2*i+1), interval, int64(2*nodes), interval)
		case p == CommonRandom && i > 0:
			first[i] = first[0]
		case p.Draws():
			hi, _ := bits.Mul64(coin.Uint64(), uint64(interval))
			first[i] = int64(hi)
		}
	}
	return first
}

// After returns a node's first tick after now.
func After(now, first, interval int64) int64 {
	if now < first {
		return first
	}
	return first + ((now-first)/interval+1)*interval
}
