package html

import (
	"math"

	"github.com/limitgauge/limitgauge/report"
)

// scale maps figures to pixels: from 0 on a linear one, from the smallest
// positive figure on a logarithmic one, where zeros have a strip of their own
// before it. Figures that are missing have one before that. Figures below 0 are
// drawn as 0.
type scale struct {
	from, to float64 // pixels of the whole axis; from > to runs upwards
	lo, hi   float64 // figures at the ends of the part after the strips
	log      bool
	zeros    bool    // there is a strip for zeros
	none     bool    // there is a strip for missing figures
	inset    float64 // pixels between the axis and 0 on a linear scale, for points
}

const (
	strip       = 40.0  // pixels of a strip
	wide        = 20.0  // largest over smallest figure from which a scale is logarithmic
	largestDraw = 1e300 // what is larger is drawn there: room to calculate with
)

// newScale fits a scale to figures, nil for a missing one.
func newScale(figures []*float64, from, to float64) scale {
	s := scale{from: from, to: to}
	least, most, zeros := math.Inf(1), 0.0, false
	for _, x := range figures {
		switch {
		case x == nil:
			s.none = true
		case *x <= 0:
			zeros = true
		default:
			least, most = min(least, *x), max(most, min(*x, largestDraw))
		}
	}
	if most > wide*least {
		s.log, s.zeros = true, zeros
		s.lo, s.hi = max(least/1.6, most/1e9), most*1.6
		return s
	}
	s.hi = most * 1.12
	if most == 0 {
		s.hi = 1
	}
	return s
}

func (s scale) direction() float64 {
	if s.to < s.from {
		return -1
	}
	return 1
}

// start is the pixel at which the part after the strips begins.
func (s scale) start() float64 {
	n := 0.0
	if s.zeros {
		n++
	}
	if s.none {
		n++
	}
	if !s.log {
		return s.from + s.direction()*(n*strip+s.inset)
	}
	return s.from + s.direction()*n*strip
}

// at is the pixel of a figure.
func (s scale) at(x *float64) float64 {
	if x == nil {
		return s.from + s.direction()*strip/2
	}
	return s.of(*x)
}

func (s scale) of(x float64) float64 {
	if s.log && x <= 0 {
		if s.zeros {
			return s.start() - s.direction()*strip/2
		}
		return s.start()
	}
	x = min(max(x, s.lo), s.hi)
	share := (x - s.lo) / (s.hi - s.lo)
	if s.log {
		share = math.Log(x/s.lo) / math.Log(s.hi/s.lo)
	}
	return s.start() + share*(s.to-s.start())
}

// ticks are the labelled marks of the part after the strips.
func (s scale) ticks(want int) []report.Tick {
	all := report.NiceTicks(s.hi, want)
	if s.log {
		all = report.DecadeTicks(s.lo, s.hi, report.Figure)
	}
	var kept []report.Tick
	for _, t := range all {
		if t.Label != "" {
			kept = append(kept, t)
		}
	}
	return kept
}
