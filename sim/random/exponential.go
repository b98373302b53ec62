package random

import "math/bits"

// ExponentialBits is the position of the binary point of an exponential draw.
const ExponentialBits = 58

// Exponential returns a draw of the exponential distribution of mean 1 in
// units of 2^-58: the time between two events of a Poisson process of one
// event per unit.
//
// It is -ln(U) for the uniform U = (u OR 1)/2^64 of one 64-bit draw u, so it
// lies between 0 and 64*ln(2) = 44.4 units. The logarithm of U's mantissa
// comes from a quadratic in each of 512 cells and is within 2^-32 of the true
// one.
func (s *Stream) Exponential() uint64 { return minusLog(s.Uint64()) }

// FillExponential fills dst with draws, the same ones as so many calls of
// Exponential, in less time.
func (s *Stream) FillExponential(dst []uint64) {
	state, gamma := s.state, s.gamma
	for i := range dst {
		state += gamma
		dst[i] = minusLog(mix(state))
	}
	s.state = state
}

// FillPairs fills uniform and exponential, which are of one length, with draws
// in turn, the same ones as so many pairs of calls of Uint64 and Exponential,
// in less time.
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

// minusLog is -ln((u|1)/2^64) in units of 2^-58: with u = mantissa * 2^(63-k)
// and a mantissa of [1, 2), k*ln(2) plus what the mantissa lacks to 2.
func minusLog(u uint64) uint64 {
	u |= 1
	length := uint64(bits.Len64(u)) // 64-k
	mantissa := u << (64 - length)
	cell := &logCells[mantissa>>54]
	f := mantissa << 10 // how far inside the cell, in 2^-64
	bend, _ := bits.Mul64(f, cell.bend)
	fall, _ := bits.Mul64(f, cell.slope-bend)
	return cell.start - length*ln2 - fall
}

const logCellCount = 512

// ln2 is ln(2) in units of 2^-58, to the nearest.
const ln2 uint64 = 0x2c5c85fdf473de7

// logCells hold ln(2/m) + 64*ln(2) for mantissas m of [1, 2) in units of 2^-58.
// It falls and flattens, so both the slope and the bend are kept as what they
// take off what: start - f*(slope - f*bend). A cell's index is the leading ten
// bits of its mantissas, the first of which is 1, so the lower half is unused:
// that is two operations less for each draw than an index from 0.
var logCells = makeLogCells()

func makeLogCells() (cells [2 * logCellCount]cell) {
	ln := logs()
	at := func(half int) uint64 { return ln[2*logCellCount] - ln[half] }
	for i := range logCellCount {
		start, slope, bend := fit(at(2*i), at(2*i+1), at(2*i+2))
		// Every product is rounded down by less than 1, so one unit more at
		// the start keeps the last draws of the last cell from passing 0.
		start = toward58(start) + 1 + 64*ln2
		cells[logCellCount+i] = cell{start: start, slope: toward58(-slope), bend: toward58(bend)}
	}
	return cells
}

// toward58 brings a number from units of 2^-62 to units of 2^-58.
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
