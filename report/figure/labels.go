package figure

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// labelled is a point with a label.
type labelled struct {
	x, y   float64
	label  string
	before bool // rather on the left of the point than on its right
}

// label is a text with a position. If it is far from its point, a line connects
// them.
type label struct {
	box      Box
	lines    []string
	leader   bool
	from, to Point
}

const (
	nearby       = 9.0  // points closer than this share a label, in pixels
	labelPitch   = 13.0 // from line to line
	longestLabel = 170.0
)

// placeLabels finds a position for the label of each spot, inside the frame and
// outside the taken boxes. It tries positions next to the point first. Points
// that are very close share a label of several lines, the line of the uppermost first.
// The labels of fewest lines come first: a high one can be further from its point, which
// a line then shows.
func placeLabels(c Canvas, spots []labelled, frame Box, taken []Box) []label {
	for _, s := range spots {
		taken = append(taken, Box{s.x - 6, s.y - 6, s.x + 6, s.y + 6})
	}
	var placed []label
	groups := clusters(spots)
	slices.SortStableFunc(groups, func(a, b []int) int { return len(a) - len(b) })
	for _, group := range groups {
		at := spots[group[0]]
		slices.SortStableFunc(group, func(a, b int) int { return cmp.Compare(spots[a].y, spots[b].y) })
		var lines []string
		width := 0.0
		for _, i := range group {
			words := Fit(c, LabelText, spots[i].label, longestLabel)
			lines = append(lines, words)
			width = max(width, c.Width(LabelText, words))
		}
		l := best(at, width, labelPitch*float64(len(lines)), frame, taken)
		l.lines = lines
		taken = append(taken, l.box)
		placed = append(placed, l)
	}
	return placed
}

// clusters groups the spots that are within a few pixels of the first spot of a
// group, in the order of the spots.
func clusters(spots []labelled) [][]int {
	var groups [][]int
	for i, s := range spots {
		j := slices.IndexFunc(groups, func(g []int) bool {
			return math.Hypot(spots[g[0]].x-s.x, spots[g[0]].y-s.y) < nearby
		})
		if j < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[j] = append(groups[j], i)
		}
	}
	return groups
}

// best tries positions around a point, the close ones first. It returns the
// first one without overlap, else the nearest free one in the frame, else the one
// with the smallest overlap.
func best(at labelled, width, height float64, frame Box, taken []Box) (kept label) {
	x, y, least, first := at.x, at.y, math.MaxInt, 1.0
	if at.before {
		first = -1
	}
	for _, far := range []float64{9, 16, 26, 40, 58, 80, 110, 150} {
		for _, to := range [][2]float64{{1, 0}, {1, -0.7}, {1, 0.7}, {-1, 0}, {-1, -0.7}, {-1, 0.7}, {0, -1}, {0, 1}, {0.5, -1}, {-0.5, -1}, {0.5, 1}, {-0.5, 1}} {
			to[0] *= first
			b := Box{Left: x + to[0]*far, Top: y + to[1]*far - height/2}
			switch {
			case to[0] < 0:
				b.Left -= width
			case to[0] == 0:
				b.Left -= width / 2
			}
			switch {
			case to[1] <= -1:
				b.Top -= height / 2
			case to[1] >= 1:
				b.Top += height / 2
			}
			b.Right, b.Bottom = b.Left+width, b.Top+height
			hits := lists.Count(taken, b.Overlaps)
			if !b.within(frame) {
				hits += 100
			}
			if hits < least {
				least = hits
				kept = label{box: b, leader: far > 16}
			}
			if hits == 0 {
				return kept.joined(x, y)
			}
		}
	}
	if b, ok := free(x, y, width, height, frame, taken); least > 0 && ok {
		kept = label{box: b, leader: true}
	}
	return kept.joined(x, y)
}

// joined returns the label with the ends of the line from its point.
func (l label) joined(x, y float64) label {
	l.from, l.to = Point{x, y}, Point{min(max(x, l.box.Left), l.box.Right), min(max(y, l.box.Top+2), l.box.Bottom-2)}
	return l
}

// free returns the position without overlap that is nearest to a point, wherever it
// is in the frame. ok is false if there is none.
func free(x, y, width, height float64, frame Box, taken []Box) (found Box, ok bool) {
	nearest := math.Inf(1)
	for top := frame.Top; top+height <= frame.Bottom; top += labelPitch / 2 {
		for left := frame.Left; left+width <= frame.Right; left += labelPitch {
			b := Box{left, top, left + width, top + height}
			if far := math.Hypot(left+width/2-x, top+height/2-y); far < nearest && !slices.ContainsFunc(taken, b.Overlaps) {
				nearest, found, ok = far, b, true
			}
		}
	}
	return found, ok
}
