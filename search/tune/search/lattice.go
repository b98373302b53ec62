package search

import (
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// block is a part of the grid of a family: on each axis the values from lo to hi. The
// search looks at its corners.
type block struct {
	family int
	lo, hi []int
}

// near is the margin, as a part of the figures' size, above which a corner that breaks
// the promise still is near enough to look inside its block.
const near = -1.0 / 3

// look sees the candidates. Of a small grid it sees each one. Of a large grid it sees the
// corners of coarse blocks, and divides those blocks in which the answer can be: some
// corner keeps the promise or nearly does, and some corner is cheap enough. This finds
// the answer only where the cost and the figures are about monotonic within the coarse blocks.
func (s *search) look(ctx context.Context) error {
	if s.found.Work.Candidates <= s.Look {
		all := make([]int, s.size())
		for i := range all {
			all[i] = i
		}
		if err := s.see(ctx, all); err != nil {
			return err
		}
		return s.race(ctx)
	}
	blocks := s.coarse()
	for len(blocks) > 0 {
		if err := s.see(ctx, slices.Concat(lists.Map(blocks, s.corners)...)); err != nil {
			return err
		}
		if err := s.race(ctx); err != nil {
			return err
		}
		sure := s.cheapestSure()
		var divided []block
		for _, b := range blocks {
			if s.promising(b, sure) {
				divided = append(divided, b.divide()...)
			}
		}
		blocks = divided
	}
	return nil
}

// promising reports whether the answer can be in a block.
func (s *search) promising(b block, sure *Candidate) bool {
	cheap, keeps := false, false
	for _, number := range s.corners(b) {
		c := s.known[s.Same(number)]
		if c.NoData != "" {
			continue
		}
		cheap = cheap || !s.tooDear(c, sure)
		keeps = keeps || !s.noise.hopeless(c) || c.relative(c.Tightest()) > near
	}
	return cheap && keeps
}

// coarse divides the grid into blocks with about half of Look corners.
func (s *search) coarse() []block {
	var blocks []block
	for family := range s.Families {
		b := block{family: family}
		for _, values := range s.Axes {
			b.lo, b.hi = append(b.lo, 0), append(b.hi, values-1)
		}
		blocks = append(blocks, b)
	}
	for {
		var divided []block
		corners := map[int]bool{}
		for _, b := range blocks {
			for _, part := range b.divide() {
				divided = append(divided, part)
				for _, number := range s.corners(part) {
					corners[number] = true
				}
			}
		}
		if len(divided) == 0 || len(corners) > s.Look/2 {
			return blocks
		}
		blocks = divided
	}
}

// divide halves a block on each axis on which it has values between its ends. It returns
// nothing if there are none.
func (b block) divide() []block {
	parts := []block{{family: b.family}}
	divided := false
	for axis := range b.lo {
		lo, hi := b.lo[axis], b.hi[axis]
		ends := [][2]int{{lo, hi}}
		if hi-lo > 1 {
			ends, divided = [][2]int{{lo, (lo + hi) / 2}, {(lo + hi) / 2, hi}}, true
		}
		var next []block
		for _, part := range parts {
			for _, e := range ends {
				next = append(next, block{b.family, append(part.lo[:axis:axis], e[0]), append(part.hi[:axis:axis], e[1])})
			}
		}
		parts = next
	}
	if !divided {
		return nil
	}
	return parts
}

// corners returns the candidates at the corners of a block.
func (s *search) corners(b block) []int {
	numbers := []int{b.family}
	for axis, values := range s.Axes {
		var next []int
		for _, n := range numbers {
			next = append(next, n*values+b.lo[axis])
			if b.hi[axis] > b.lo[axis] {
				next = append(next, n*values+b.hi[axis])
			}
		}
		numbers = next
	}
	return numbers
}
