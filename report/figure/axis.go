package figure

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Axis maps values to positions. It is linear from Lo to Hi, or logarithmic, or
// a list of rows. A strip for zeros may precede the scale, because a
// logarithmic scale has no zero. A strip for missing values, which are NaN, may
// precede both. Values outside the scale are drawn at its ends.
type Axis struct {
	Label   string
	Lo, Hi  float64
	Log     bool
	Rows    []string // names of rows from the top; row i is at the value i
	Zeros   bool
	Missing string  // label of the strip for missing values; "" for no strip
	Inset   float64 // pixels between the strips and the value 0 of a linear scale
	Ticks   []Tick
	Grid    bool
}

const (
	strip       = 40.0  // pixels
	wide        = 20.0  // a scale is logarithmic if largest / smallest value is at least this
	largestDraw = 1e300 // larger values are drawn here, so that sums do not overflow

	logarithmic = " (logarithmic)" // ends the label of such a scale
)

// fitAxis makes a scale for values, none of which is drawn below 0. It is
// linear from 0, or logarithmic from the smallest positive value if the values
// differ by a large factor.
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
		a.Label += logarithmic
	case most > 0:
		a.Hi = most * 1.12
	}
	a.tick(6)
	return a
}

// linearAxis returns an axis from 0 to a little more than the largest value.
func linearAxis(label string, values []float64) Axis {
	a := Axis{Label: label, Grid: true, Hi: 1}
	if most := slices.Max(values); most > 0 {
		a.Hi = most * 1.12
	}
	a.tick(6)
	return a
}

// letter is the width of a wide letter of a label in pixels, and usualWidth that of the
// frame of a panel. Axes are made before anything is measured.
const (
	letter     = 8.0
	usualWidth = 500.0
)

// makeRoom extends the scale below its least value, so that a label of a width in pixels
// fits before the point there.
func (a *Axis) makeRoom(width, least float64) {
	width += 14 // for the point
	if !a.Log {
		a.Inset = max(a.Inset, width-least/a.Hi*usualWidth)
		return
	}
	share := width / usualWidth
	lo := math.Pow(least/math.Pow(a.Hi, share), 1/(1-share))
	if a.Lo = min(a.Lo, lo); a.Lo == lo {
		a.tick(6)
	}
}

// tick sets the marks of the scale: about want marks on a linear one.
func (a *Axis) tick(want int) {
	if a.Log {
		a.Ticks = decadeTicks(a.Lo, a.Hi, format.Short)
	} else {
		a.Ticks = niceTicks(a.Hi, want)
	}
}

// start returns the position at which the scale begins, after its strips.
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

// At returns the position of a value on an axis between two positions.
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
