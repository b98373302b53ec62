package html

import (
	"math"
	"slices"
)

// spot is a point that wants a label.
type spot struct {
	x, y  float64
	label string
}

// box is a rectangle in pixels, from its upper left to its lower right corner.
type box struct{ left, top, right, bottom float64 }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) within(o box) bool {
	return b.left >= o.left && b.top >= o.top && b.right <= o.right && b.bottom <= o.bottom
}

// label is text that found its place; a leader joins it to its point where it
// is too far away to belong to it by sight.
type label struct {
	x, y                   float64 // upper left corner
	lines                  []string
	leader                 bool
	fromX, fromY, toX, toY float64
}

const (
	labelPitch   = 13.0 // from line to line
	nearby       = 9.0  // points closer than this share a label
	longestLabel = 170.0
)

// place finds room for the labels of all spots inside the frame and off what is
// taken: close by where that is free, else farther away with a leader. Points that lie on each other
// share a label of several lines.
func place(spots []spot, frame box, taken []box) []label {
	for _, s := range spots {
		taken = append(taken, box{s.x - 6, s.y - 6, s.x + 6, s.y + 6})
	}
	var placed []label
	for _, group := range clusters(spots) {
		var lines []string
		width := 0.0
		for _, i := range group {
			words := fit(spots[i].label, longestLabel)
			lines = append(lines, words)
			width = max(width, widthOf(words))
		}
		at := spots[group[0]]
		l, where := best(at.x, at.y, width, labelPitch*float64(len(lines)), frame, taken)
		l.lines = lines
		taken = append(taken, where)
		placed = append(placed, l)
	}
	return placed
}

// clusters groups the spots that lie within a few pixels of the first of a
// group, in the spots' order.
func clusters(spots []spot) [][]int {
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

// best tries places around a point, the close ones first, and takes the first
// that hits nothing; where all hit something, the one that hits least.
func best(x, y, width, height float64, frame box, taken []box) (label, box) {
	var kept label
	var keptBox box
	least := math.MaxInt
	for _, far := range []float64{9, 16, 26, 40, 58, 80, 110, 150} {
		for _, to := range [][2]float64{{1, 0}, {1, -0.7}, {1, 0.7}, {-1, 0}, {-1, -0.7}, {-1, 0.7}, {0, -1}, {0, 1}, {0.5, -1}, {-0.5, -1}, {0.5, 1}, {-0.5, 1}} {
			b := box{left: x + to[0]*far, top: y + to[1]*far - height/2}
			switch {
			case to[0] < 0:
				b.left -= width
			case to[0] == 0:
				b.left -= width / 2
			}
			switch {
			case to[1] <= -1:
				b.top -= height / 2
			case to[1] >= 1:
				b.top += height / 2
			}
			b.right, b.bottom = b.left+width, b.top+height
			hits := 0
			if !b.within(frame) {
				hits += 100
			}
			for _, o := range taken {
				if b.overlaps(o) {
					hits++
				}
			}
			if hits < least {
				least, keptBox = hits, b
				kept = label{x: b.left, y: b.top, leader: far > 16, fromX: x, fromY: y,
					toX: min(max(x, b.left), b.right), toY: min(max(y, b.top+2), b.bottom-2)}
			}
			if hits == 0 {
				return kept, keptBox
			}
		}
	}
	return kept, keptBox
}
