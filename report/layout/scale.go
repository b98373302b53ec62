// Package layout finds places for points, marks and labels in a plot: lengths
// are whatever unit the caller draws in, with y growing downwards.
package layout

import "math"

// Scale maps figures to lengths: from 0 on a linear one, from the smallest
// positive figure on a logarithmic one, where zeros have a strip of their own
// before it. Figures that are missing have one before that. Figures below 0 are
// drawn as 0.
type Scale struct {
	From, To float64 // ends of the whole axis; From > To runs upwards
	Lo, Hi   float64 // figures at the ends of the part after the strips
	Log      bool
	Zeros    bool    // there is a strip for zeros
	None     bool    // there is a strip for missing figures
	Inset    float64 // length between the axis and 0 on a linear scale, for points
}

const (
	Strip       = 40.0  // length of a strip
	wide        = 20.0  // largest over smallest figure from which a scale is logarithmic
	LargestDraw = 1e300 // what is larger is drawn there: room to calculate with
)

// NewScale fits a scale to figures, nil for a missing one.
func NewScale(figures []*float64, from, to float64) Scale {
	s := Scale{From: from, To: to}
	least, most, zeros := math.Inf(1), 0.0, false
	for _, x := range figures {
		switch {
		case x == nil:
			s.None = true
		case *x <= 0:
			zeros = true
		default:
			least, most = min(least, *x), max(most, min(*x, LargestDraw))
		}
	}
	if most > wide*least {
		s.Log, s.Zeros = true, zeros
		s.Lo, s.Hi = max(least/1.6, most/1e9), most*1.6
		return s
	}
	s.Hi = most * 1.12
	if most == 0 {
		s.Hi = 1
	}
	return s
}

func (s Scale) direction() float64 {
	if s.To < s.From {
		return -1
	}
	return 1
}

// Start is the place at which the part after the strips begins.
func (s Scale) Start() float64 {
	n := 0.0
	if s.Zeros {
		n++
	}
	if s.None {
		n++
	}
	if !s.Log {
		return s.From + s.direction()*(n*Strip+s.Inset)
	}
	return s.From + s.direction()*n*Strip
}

// At is the place of a figure, nil for a missing one.
func (s Scale) At(x *float64) float64 {
	if x == nil {
		return s.From + s.direction()*Strip/2
	}
	return s.Of(*x)
}

// Of is the place of a figure that is there.
func (s Scale) Of(x float64) float64 {
	if s.Log && x <= 0 {
		if s.Zeros {
			return s.Start() - s.direction()*Strip/2
		}
		return s.Start()
	}
	x = min(max(x, s.Lo), s.Hi)
	share := (x - s.Lo) / (s.Hi - s.Lo)
	if s.Log {
		share = math.Log(x/s.Lo) / math.Log(s.Hi/s.Lo)
	}
	return s.Start() + share*(s.To-s.Start())
}

// Name is an axis' name, with a word on the scale where it is not linear.
func (s Scale) Name(axis string) string {
	if s.Log {
		return axis + " (logarithmic)"
	}
	return axis
}
