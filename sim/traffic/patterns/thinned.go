package patterns

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
)

// thinned computes a Poisson process of changing rate by thinning: it draws
// candidates at the highest rate and accepts each with the probability
// rate/highest rate. The probability is exact to 2^-62.
type thinned struct {
	all  poissonArrivals
	full uint64 // the highest rate, in the unit of a batch's rates; below 2^63
}

// candidateBatch is a batch of candidates. Between draw and keep the caller
// sets their rates.
type candidateBatch struct {
	candidates            int // number of valid rows
	at                    [ahead]int64
	rates, uniforms, gaps [ahead]uint64
	drawn                 int // number of uniforms and gaps
}

// draw draws a batch for up to places candidates. It returns false if no
// candidate comes before end.
func (h *thinned) draw(d *candidateBatch, draws *random.Stream, places int, end int64) bool {
	if h.all.none || h.all.at >= end || places == 0 {
		return false
	}
	// About as many as fill the places if some are rejected, or as come before
	// the end.
	d.drawn = min(ahead, 2*places, int(min((end-h.all.at)/h.all.gap, ahead))+4)
	draws.FillPairs(d.uniforms[:d.drawn], d.gaps[:d.drawn])
	d.candidates, _, _ = h.all.scale.AdvanceAll(d.at[:], d.gaps[:d.drawn], h.all.at, h.all.fraction, end)
	return true
}

// keep writes the accepted candidates to times until it is full, and returns
// their number.
func (h *thinned) keep(d *candidateBatch, draws *random.Stream, times []int64) int {
	kept, decided := 0, 0
	for decided < d.candidates && kept < len(times) {
		times[kept] = d.at[decided] // overwritten if rejected; a branch could not be predicted
		lot, _ := bits.Mul64(d.uniforms[decided], h.full)
		_, stays := bits.Sub64(lot, d.rates[decided], 0)
		kept += int(stays)
		decided++
	}
	_, h.all.at, h.all.fraction = h.all.scale.AdvanceAll(d.at[:], d.gaps[:decided], h.all.at, h.all.fraction, never)
	*draws = draws.Jumped(-uint64(2 * (d.drawn - decided))) // unused draws are drawn again later
	return kept
}

// thinnedSlope thins candidates to the rate of a slope.
type thinnedSlope struct {
	thinned
	slope
	start int64
	shift int // shifts the larger rate, times scale*length, into 63 bits
}

func newThinnedSlope(draws *random.Stream, start int64, s slope, larger exactRate) thinnedSlope {
	full := times64(max(s.a0, s.a1), s.length)
	shift := max(0, full.len()-63)
	return thinnedSlope{thinned{newPoissonArrivals(draws, start, larger), full.shiftRight(shift).lo}, s, start, shift}
}

// fill writes arrivals before end.
func (h *thinnedSlope) fill(draws *random.Stream, times []int64, end int64) int {
	var d candidateBatch
	kept := 0
	for h.draw(&d, draws, len(times)-kept, end) {
		h.rate(d.at[:d.candidates], d.rates[:d.candidates])
		kept += h.keep(&d, draws, times[kept:])
	}
	return kept
}

// rate computes the rate at each time, times scale*length.
func (h *thinnedSlope) rate(at []int64, rates []uint64) {
	if h.shift == 0 { // nothing exceeds 64 bits
		first, change := h.a0*h.length, h.a1-h.a0
		for i, at := range at {
			rates[i] = first + change*uint64(at-h.start)
		}
		return
	}
	for i, at := range at {
		t := uint64(at - h.start)
		rates[i] = times64(h.a0, h.length-t).add(times64(h.a1, t)).shiftRight(h.shift).lo
	}
}
