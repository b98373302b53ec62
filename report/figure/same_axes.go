package figure

import (
	"cmp"
	"strings"
)

// SameAxes gives two drawings of one figure the same scales, so that equal lengths are
// equal values. It leaves axes of rows and of time as they are.
func SameAxes(a, b *Figure) {
	if a.Name != b.Name || len(a.Panels) == 0 || len(b.Panels) == 0 {
		return
	}
	if a.Shared && b.Shared { // the panels of each have one scale
		join(axes(a.Panels, b.Panels))
		return
	}
	for i := range min(len(a.Panels), len(b.Panels)) {
		join(axes(a.Panels[i:i+1], b.Panels[i:i+1]))
	}
}

// axes returns the X and Y axes of panels that have values.
func axes(lists ...[]Panel) (x, y []*Axis) {
	for _, panels := range lists {
		for i := range panels {
			p := &panels[i]
			if !p.Fields && p.Readout == nil {
				x = append(x, &p.X)
			}
			if !p.Fields && len(p.Y.Rows) == 0 {
				y = append(y, &p.Y)
			}
		}
	}
	return x, y
}

// join makes the axes of each list one.
func join(lists ...[]*Axis) {
	for _, list := range lists {
		var all Axis
		for i, a := range list {
			if i == 0 {
				all = *a
			}
			all.widen(*a)
		}
		for _, a := range list {
			ticks := a.Lo != all.Lo || a.Hi != all.Hi || a.Log != all.Log
			a.Label, a.Lo, a.Hi, a.Log = all.Label, all.Lo, all.Hi, all.Log
			a.Zeros, a.Missing, a.Inset = all.Zeros, all.Missing, all.Inset
			if ticks {
				a.tick(6)
			}
		}
	}
}

// widen extends an axis by another one of the same figure. It is linear unless both are
// logarithmic.
func (a *Axis) widen(other Axis) {
	if a.Log != other.Log {
		a.Label, a.Log, a.Lo = strings.TrimSuffix(a.Label, logarithmic), false, 0
		a.Zeros = false
	}
	if a.Log {
		a.Lo, a.Zeros = min(a.Lo, other.Lo), a.Zeros || other.Zeros
	}
	a.Hi, a.Inset = max(a.Hi, other.Hi), max(a.Inset, other.Inset)
	a.Missing = cmp.Or(a.Missing, other.Missing)
}
