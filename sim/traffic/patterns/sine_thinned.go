package patterns

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// waveDraws is a Poisson process of the highest rate, thinned to the rate of
// the wave.
type waveDraws struct {
	*wave
	thinned
	draws random.Stream
	begin int64 // of the period in which the span begins
	shift int   // shifts the highest rate, (den+num)*one, into 63 bits

	// 2^(126-turnShift)/period, rounded down, which fills 64 bits.
	reciprocal uint64
	turnShift  int
}

func (w *wave) openDraws(draws random.Stream) *waveDraws {
	full := uint128Of(w.swing.Den + w.swing.Num).times(sineOne)
	c := &waveDraws{wave: w, begin: w.span.From - w.into(draws), shift: max(0, full.len()-63)}
	c.thinned = thinned{newPoissonArrivals(&draws, w.span.From, w.peak), full.shiftRight(c.shift).lo}
	c.draws = draws
	length := bits.Len64(uint64(w.period - 1))
	c.turnShift = 63 - length
	c.reciprocal, _ = bits.Div64(1<<(length-1), 0, uint64(w.period))
	return c
}

func (c *waveDraws) Fill(times []int64) int {
	var d candidateBatch
	kept := 0
	for c.draw(&d, &c.draws, len(times)-kept, c.span.To) {
		c.rate(d.at[:d.candidates], d.rates[:d.candidates])
		kept += c.keep(&d, &c.draws, times[kept:])
	}
	return kept
}

// rate writes den*one + num*height for the height of the curve at each instant.
func (c *waveDraws) rate(at []int64, rates []uint64) {
	den, num := c.swing.Den, c.swing.Num
	begin := c.begin // of a period
	for i, at := range at {
		into := at - begin
		if into >= c.period {
			into %= c.period
			begin = at - into
		}
		height := c.height(into)
		switch {
		case c.shift == 0: // nothing exceeds 63 bits
			rates[i] = uint64(den*sineOne + num*height)
		case height >= 0:
			rates[i] = uint128Of(den).times(sineOne).add(times64(uint64(num), uint64(height))).shiftRight(c.shift).lo
		default:
			rates[i] = uint128Of(den).times(sineOne).sub(times64(uint64(num), uint64(-height))).shiftRight(c.shift).lo
		}
	}
}

// turnBits is the precision of a position within a period.
const turnBits = 42

// height returns the value of the curve at a time within a period, in units of
// the table.
func (c *waveDraws) height(into int64) int64 {
	// floor(into*2^42/period): the upper ten bits are the piece, the others the
	// position in it. The reciprocal gives that number or one less.
	turn, _ := bits.Mul64(uint64(into)<<c.turnShift, c.reciprocal)
	turn >>= 62 - turnBits
	if uint64(into)<<turnBits-turn*uint64(c.period) >= uint64(c.period) {
		turn++
	}
	const below = turnBits - sineNodeBits
	k, f := int(turn>>below), int64(turn&(1<<below-1))
	a, b := sineAt(k), sineAt(k+1)
	return a + (b-a)*f>>below
}
