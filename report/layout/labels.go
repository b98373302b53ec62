package layout

import (
	"math"
	"slices"
)

// Spot is a point that wants a label.
type Spot struct {
	X, Y  float64
	Label string
}

// Box is a rectangle, from its upper left to its lower right corner.
type Box struct{ Left, Top, Right, Bottom float64 }

// Overlaps reports whether two boxes share room.
func (b Box) Overlaps(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Top < o.Bottom && o.Top < b.Bottom
}

func (b Box) within(o Box) bool {
	return b.Left >= o.Left && b.Top >= o.Top && b.Right <= o.Right && b.Bottom <= o.Bottom
}

// Label is text that found its place; a leader joins it to its point where it
// is too far away to belong to it by sight.
type Label struct {
	X, Y                   float64 // upper left corner
	Lines                  []string
	Leader                 bool
	FromX, FromY, ToX, ToY float64
}

// Text is how wide labels are drawn.
type Text struct {
	Pitch float64 // from line to line
	Width func(words string) float64
	Fit   func(words string) string // shortens words that are too long for a label
}

const nearby = 9.0 // points closer than this share a label

// Place finds room for the labels of all spots inside the frame and off what is
// taken: close by where that is free, else farther away with a leader. Points that lie on each other
// share a label of several lines.
func Place(spots []Spot, frame Box, taken []Box, text Text) []Label {
	for _, s := range spots {
		taken = append(taken, Box{s.X - 6, s.Y - 6, s.X + 6, s.Y + 6})
	}
	var placed []Label
	for _, group := range clusters(spots) {
		var lines []string
		width := 0.0
		for _, i := range group {
			words := text.Fit(spots[i].Label)
			lines = append(lines, words)
			width = max(width, text.Width(words))
		}
		at := spots[group[0]]
		l, where := best(at.X, at.Y, width, text.Pitch*float64(len(lines)), frame, taken)
		l.Lines = lines
		taken = append(taken, where)
		placed = append(placed, l)
	}
	return placed
}

// clusters groups the spots that lie within a few pixels of the first of a
// group, in the spots' order.
func clusters(spots []Spot) [][]int {
	var groups [][]int
	for i, s := range spots {
		j := slices.IndexFunc(groups, func(g []int) bool {
			return math.Hypot(spots[g[0]].X-s.X, spots[g[0]].Y-s.Y) < nearby
		})
		if j < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[j] = append(groups[j], i)
		}
	}
	return groups
}

// best tries places around a point, the close ones first, and takes the first
// that hits nothing; where all hit something, the one that hits least.
func best(x, y, width, height float64, frame Box, taken []Box) (Label, Box) {
	var kept Label
	var keptBox Box
	least := math.MaxInt
	for _, far := range []float64{9, 16, 26, 40, 58, 80, 110, 150} {
		for _, to := range [][2]float64{{1, 0}, {1, -0.7}, {1, 0.7}, {-1, 0}, {-1, -0.7}, {-1, 0.7}, {0, -1}, {0, 1}, {0.5, -1}, {-0.5, -1}, {0.5, 1}, {-0.5, 1}} {
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
			hits := 0
			if !b.within(frame) {
				hits += 100
			}
			for _, o := range taken {
				if b.Overlaps(o) {
					hits++
				}
			}
			if hits < least {
				least, keptBox = hits, b
				kept = Label{X: b.Left, Y: b.Top, Leader: far > 16, FromX: x, FromY: y,
					ToX: min(max(x, b.Left), b.Right), ToY: min(max(y, b.Top+2), b.Bottom-2)}
			}
			if hits == 0 {
				return kept, keptBox
			}
		}
	}
	return kept, keptBox
}
