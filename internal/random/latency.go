package random

import (
	"fmt"
	"math/big"
	"math/bits"
)

// Latency is the distribution of the duration of a call in ns. The zero Latency
// is a constant 0.
type Latency struct {
	kind  latencyKind
	scale uint64 // constant: the time; exponential: the p99; lognormal: the p50
	slope uint64 // lognormal: log2(p99/p50) / z99 in units of 2^-57
}

type latencyKind uint8

const (
	constantLatency latencyKind = iota
	exponentialLatency
	lognormalLatency
)

// MaxLatency is the largest parameter of a Latency: 2^57 ns, four and a half
// years. Draws are at most 32 times as large.
const MaxLatency = int64(1) << 57

// NewLatency returns a latency of a kind: "constant" uses the duration
// constant; "exponential" the 99th percentile p99; "lognormal" the median p50
// and the 99th percentile p99, 1 <= p50 <= p99. All are ns from 0 to
// MaxLatency; parameters that the kind does not use are ignored.
func NewLatency(kind string, p50, p99, constant int64) (Latency, error) {
	check := func(name string, ns, least int64) error {
		if ns < least || ns > MaxLatency {
			return fmt.Errorf("%s latency: %s of %d ns is not between %d and %d ns", kind, name, ns, least, MaxLatency)
		}
		return nil
	}
	switch kind {
	case "constant":
		return Latency{kind: constantLatency, scale: uint64(constant)}, check("time", constant, 0)
	case "exponential":
		return Latency{kind: exponentialLatency, scale: uint64(p99)}, check("p99", p99, 0)
	case "lognormal":
		if err := check("p50", p50, 1); err != nil {
			return Latency{}, err
		}
		if err := check("p99", p99, p50); err != nil {
			return Latency{}, err
		}
		return Latency{kind: lognormalLatency, scale: uint64(p50), slope: lognormalSlope(p50, p99)}, nil
	}
	return Latency{}, fmt.Errorf("latency kind %q is not constant, exponential or lognormal", kind)
}

// Random reports whether draws differ. A Latency that is not random takes no
// draws from its stream.
func (l *Latency) Random() bool {
	switch l.kind {
	case exponentialLatency:
		return l.scale > 0
	case lognormalLatency:
		return l.slope > 0
	}
	return false
}

// Draw returns the latency of one call in ns, rounded to nearest.
func (l *Latency) Draw(s *Stream) int64 {
	switch {
	case l.kind == exponentialLatency && l.scale > 0:
		return exponentialNs(l.scale, s.Exponential())
	case l.kind == lognormalLatency && l.slope > 0:
		return lognormalNs(l.scale, l.slope, s.Normal())
	}
	return int64(l.scale)
}

// perLn100 is 1/ln(100) in units of 2^-64, to the nearest: the mean of an
// exponential distribution over its 99th percentile.
const perLn100 = 0x3796f62a4dca1c65

// exponentialNs returns p99 * draw/ln(100), at most 9.7 * p99.
func exponentialNs(p99, draw uint64) int64 {
	share, _ := bits.Mul64(draw, perLn100)
	hi, lo := bits.Mul64(p99, share)
	lo, carry := bits.Add64(lo, 1<<(ExponentialBits-1), 0)
	return int64((hi+carry)<<(64-ExponentialBits) | lo>>ExponentialBits)
}

// z99 is the 99th percentile of the standard normal distribution in units of
// 2^-60, to the nearest: 2.32634787404084110089.
const z99 = 2682096491178106252

// lognormalSlope returns log2(p99/p50)/z99 in units of 2^-57: the increase of
// the binary logarithm of the latency for one standard deviation. It computes
// the logarithm bit by bit: squaring a number doubles its logarithm.
func lognormalSlope(p50, p99 int64) uint64 {
	const precision = 60
	ratio := new(big.Int).Lsh(big.NewInt(p99), rootBits)
	ratio.Quo(ratio, big.NewInt(p50))
	whole := ratio.BitLen() - 1 - rootBits
	ratio.Rsh(ratio, uint(whole))
	log := big.NewInt(int64(whole))
	two := new(big.Int).Lsh(one(), 1)
	for range precision {
		times(ratio, ratio, ratio)
		log.Lsh(log, 1)
		if ratio.Cmp(two) >= 0 {
			ratio.Rsh(ratio, 1)
			log.SetBit(log, 0, 1)
		}
	}
	return log.Quo(log.Lsh(log, 57), big.NewInt(z99)).Uint64()
}

// lognormalNs returns p50 * 2^(slope*z), rounded to nearest, at most
// 32*MaxLatency.
func lognormalNs(p50, slope uint64, z int64) int64 {
	size := uint64(max(z, -z))
	hi, lo := bits.Mul64(size, slope)
	exponent := int64(hi<<10 | lo>>54) // from 2^-105 to 2^-51; at most 231
	if z < 0 {
		exponent = -exponent
	}
	return timesPowerOf2(p50, exponent)
}

// timesPowerOf2 returns ns * 2^exponent, rounded to nearest, at most
// 32*MaxLatency. exponent is in units of 2^-51.
func timesPowerOf2(ns uint64, exponent int64) int64 {
	whole := int(exponent >> 51)
	hi, lo := bits.Mul64(ns, powerOf2(uint64(exponent)<<13)) // 2^-62
	// The point of the product is at bit 62. The bit below that of the result
	// rounds it.
	down := 62 - whole - 1
	if down < 0 || bits.Len64(hi)+64-down > 62 {
		return 32 * MaxLatency
	}
	return int64((shiftRight128(hi, lo, uint(down)) + 1) >> 1)
}

// shiftRight128 returns hi:lo / 2^by, rounded down. The result must fit 64
// bits.
func shiftRight128(hi, lo uint64, by uint) uint64 {
	if by >= 64 {
		return hi >> (by - 64)
	}
	return hi<<(64-by) | lo>>by
}

// powerOf2 returns 2^(x/2^64) in units of 2^-62, within a relative 2^-30.
func powerOf2(x uint64) uint64 {
	cell := &powerCells[x>>56]
	f := x << 8
	bend, _ := bits.Mul64(f, cell.bend)
	rise, _ := bits.Mul64(f, cell.slope+bend)
	return cell.start + rise
}

const powerCellCount = 256

// powerCells holds 2^x for x of [0, 1) in units of 2^-62. The curve rises ever
// more steeply: start + f*(slope + f*bend).
var powerCells = makePowerCells()

func makePowerCells() (cells [powerCellCount]cell) {
	// Nine square roots give the 512th root of 2. Its powers are the nodes.
	step := new(big.Int).Lsh(one(), 1)
	for range 9 {
		root(step, step)
	}
	var nodes [2*powerCellCount + 1]uint64
	at := one()
	for i := range nodes {
		nodes[i] = round62(at)
		times(at, at, step)
	}
	for i := range cells {
		start, slope, bend := fit(nodes[2*i], nodes[2*i+1], nodes[2*i+2])
		cells[i] = cell{start: start, slope: slope, bend: bend}
	}
	return cells
}
