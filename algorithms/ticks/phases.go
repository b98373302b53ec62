// Package ticks says when, within an interval, each of many nodes does what all
// of them do once an interval.
package ticks

import "math/bits"

// Phase is how the nodes' ticks lie to each other.
type Phase uint8

const (
	Aligned      Phase = iota // all at multiples of the interval
	Staggered                 // node i of N at (i+0.5)/N of it
	Random                    // each anywhere in it
	CommonRandom              // all at the same place anywhere in it
)

// Names are the phases in order, and Named the phase of a name.
var (
	Names = []string{"aligned", "staggered", "random", "common-random"}
	Named = map[string]Phase{"aligned": Aligned, "staggered": Staggered, "random": Random, "common-random": CommonRandom}
)

// Coin is a source of random bits.
type Coin interface{ Uint64() uint64 }

// Draws reports whether the phase needs a coin.
func (p Phase) Draws() bool { return p == Random || p == CommonRandom }

// First is the instant, of 0 to interval-1, of each node's first tick; the others
// follow it every interval. Random draws from the coin once a node, in order, and
// CommonRandom once: floor(draw*interval/2^64).
func (p Phase) First(nodes int, interval int64, coin Coin) []int64 {
	first := make([]int64, nodes)
	for i := range first {
		switch {
		case p == Staggered:
			hi, lo := bits.Mul64(uint64(2*i+1), uint64(interval))
			at, _ := bits.Div64(hi, lo, uint64(2*nodes))
			first[i] = int64(at)
		case p == CommonRandom && i > 0:
			first[i] = first[0]
		case p.Draws():
			hi, _ := bits.Mul64(coin.Uint64(), uint64(interval))
			first[i] = int64(hi)
		}
	}
	return first
}

// After is a node's first tick after now; one at now itself has been.
func After(now, first, interval int64) int64 {
	if now < first {
		return first
	}
	return first + ((now-first)/interval+1)*interval
}
