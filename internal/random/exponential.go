package random

import "math/bits"

// ExponentialBits is the position of the binary point of an exponential draw.
const ExponentialBits = 58

// Exponential returns a draw of the exponential distribution of mean 1 in
// units of 2^-58: the time between two events of a Poisson process of one
// event per unit.
//
// It is -ln(U) for the uniform U = (u OR 1)/2^64 of one 64-bit draw u, so it
// lies between 0 and 64*ln(2) = 44.4 times the mean. The logarithm of U's mantissa
// comes from a quadratic in each of 512 cells and is within 2^-32 of the true
// one.
func (s *Stream) Exponential() uint64 { return minusLog(s.Uint64()) }

// ExponentialAt returns the exponential draw at rank/2^64 of the distribution: it does
// not decrease with the rank.
func ExponentialAt(rank uint64) uint64 { return minusLog(^rank) }

// FillExponential fills dst with draws, equal to calls of Exponential but
// faster.
func (s *Stream) FillExponential(dst []uint64) {
	state, gamma := s.state, s.gamma
	for i := range dst {
		state += gamma
		dst[i] = minusLog(mix(state))
	}
	s.state = state
}

// FillPairs fills uniform and exponential with draws in turn, equal to pairs of
// calls of Uint64 and Exponential but faster. Both must have the same length.
func (s *Stream) FillPairs(uniform, exponential []uint64) {
	exponential = exponential[:len(uniform)]
	state, gamma := s.state, s.gamma
	for i := range uniform {
		uniform[i] = mix(state + gamma)
		state += 2 * gamma
		exponential[i] = minusLog(mix(state))
	}
	s.state = state
}

// minusLog returns -ln((u|1)/2^64) in units of 2^-58. With u = mantissa *
// 2^(63-k) and a mantissa in [1, 2), that is k*ln(2) plus ln(2/mantissa).
func minusLog(u uint64) uint64 {
	u |= 1
	length := uint64(bits.Len64(u)) // 64-k
	mantissa := u << (64 - length)
	cell := &logCells[mantissa>>54]
	f := mantissa << 10 // the position inside the cell, in 2^-64
	bend, _ := bits.Mul64(f, cell.bend)
	fall, _ := bits.Mul64(f, cell.slope-bend)
	return cell.start - length*ln2 - fall
}

const logCellCount = 512

// ln2 is ln(2) in units of 2^-58, to the nearest.
const ln2 uint64 = 0x2c5c85fdf473de7

// logCells holds ln(2/m) + 64*ln(2) for mantissas m of [1, 2) in units of
// 2^-58. The curve falls and flattens, so a value is start - f*(slope -
// f*bend). The index of a cell is the leading ten bits of its mantissas. The
// first bit is always 1, so the lower half of the table is unused; in return
// each draw takes two operations less.
var logCells = makeLogCells()

func makeLogCells() (cells [2 * logCellCount]cell) {
	ln := logs()
	at := func(half int) uint64 { return ln[2*logCellCount] - ln[half] }
	for i := range logCellCount {
		start, slope, bend := fit(at(2*i), at(2*i+1), at(2*i+2))
		// Every product is rounded down by less than 1. One additional unit at
		// the start keeps the last draws of the last cell above 0.
		start = toward58(start) + 1 + 64*ln2
		cells[logCellCount+i] = cell{start: start, slope: toward58(-slope), bend: toward58(bend)}
	}
	return cells
}

// toward58 converts a number from units of 2^-62 to units of 2^-58.
func toward58(x uint64) uint64 { return x >> 4 }

// logs returns ln(1 + i/1024) for i of 0..1024 in units of 2^-62, to the
// nearest: sums of ln((n+1)/n) = 2*artanh(1/(2n+1)) kept in 128 bits.
func logs() (ln [2*logCellCount + 1]uint64) {
	var hi, lo uint64 // the sum so far, in units of 2^-127
	for i := range 2 * logCellCount {
		q := uint64(2*(2*logCellCount+i) + 1)
		powHi, powLo := div128(^uint64(0), ^uint64(0), q) // 2 / q^(2j+1)
		for j := uint64(0); powHi|powLo != 0; j++ {
			termHi, termLo := div128(powHi, powLo, 2*j+1)
			var carry uint64
			lo, carry = bits.Add64(lo, termLo, 0)
			hi += termHi + carry
			powHi, powLo = div128(powHi, powLo, q*q)
		}
		ln[i+1] = hi>>1 + hi&1 // 2^-63 to 2^-62
	}
	return ln
}

// div128 divides a 128-bit number by a 64-bit one, rounding down.
func div128(hi, lo, by uint64) (quoHi, quoLo uint64) {
	quoHi = hi / by
	quoLo, _ = bits.Div64(hi%by, lo, by)
	return quoHi, quoLo
}
