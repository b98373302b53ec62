package figure

import (
	"math"

	"github.com/limitgauge/limitgauge/format"
)

// Axis maps values to places. It is linear from Lo to Hi, or logarithmic, or a
// list of rows. Before the scale it may have a strip for zeros, which a
// logarithmic scale lacks, and before that one for missing values, which are NaN.
// Values outside the scale are drawn at its ends.
type Axis struct {
	Label   string
	Lo, Hi  float64
	Log     bool
	Rows    []string // names of rows from the top; row i has the value i
	Zeros   bool
	Missing string  // label of the strip for missing values; "" for no strip
	Inset   float64 // pixels between the strips and the value 0 of a linear scale
	Ticks   []Tick
	Grid    bool
}

const (
	strip       = 40.0  // pixels
	wide        = 20.0  // largest over smallest value from which a scale is logarithmic
	largestDraw = 1e300 // larger values are drawn there, so that sums do not overflow
)

// fitAxis makes a scale for values, none of which is drawn below 0: linear from
// 0, or logarithmic from the smallest positive value where they are far apart.
func fitAxis(label, missing string, values []float64) Axis {
	a := Axis{Label: label, Grid: true, Hi: 1}
	least, most, zeros := math.Inf(1), 0.0, false
	for _, x := range values {
		switch {
		case math.IsNaN(x):
			a.Missing = missing
		case x <= 0:
			zeros = true
		default:
			least, most = min(least, x), max(most, min(x, largestDraw))
		}
	}
	switch {
	case most > wide*least:
		a.Log, a.Zeros = true, zeros
		a.Lo, a.Hi = max(least/1.6, most/1e9), most*1.6
		a.Label += " (logarithmic)"
	case most > 0:
		a.Hi = most * 1.12
	}
	a.tick(6)
	return a
}

// tick marks the scale, a linear one about want times.
func (a *Axis) tick(want int) {
	if a.Log {
		a.Ticks = decadeTicks(a.Lo, a.Hi, format.Number)
	} else {
		a.Ticks = niceTicks(a.Hi, want)
	}
}

// start is the place at which the scale begins after its strips.
func (a Axis) start(from, to float64) float64 {
	length := 0.0
	if a.Zeros {
		length += strip
	}
	if a.Missing != "" {
		length += strip
	}
	if !a.Log {
		length += a.Inset
	}
	return from + math.Copysign(length, to-from)
}

// At is the place of a value on an axis that runs from one place to another.
func (a Axis) At(x, from, to float64) float64 {
	start, half := a.start(from, to), math.Copysign(strip/2, to-from)
	switch {
	case len(a.Rows) > 0:
		return from + (x+0.5)/float64(len(a.Rows))*(to-from)
	case math.IsNaN(x):
		return from + half
	case a.Log && x <= 0 && a.Zeros:
		return start - half
	}
	x = min(max(x, a.Lo), a.Hi)
	share := (x - a.Lo) / (a.Hi - a.Lo)
	if a.Log {
		share = math.Log(x/a.Lo) / math.Log(a.Hi/a.Lo)
	}
	return start + share*(to-start)
}
