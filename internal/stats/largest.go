package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// largest holds the largest statistic of any figure for each pattern of signs, in
// both directions.
type largest struct {
	moved    []*statistic
	up, down []float64
	drawn    bool // the patterns are random, not all there are
}

// slack is the rounding error below which statistics count as equal.
const slack = 1e-9

// jointWork bounds the number of table lookups of one test, about a second.
const jointWork = 400_000_000

// countedFigures is the number of figures up to which counting the patterns for each
// takes less than putting them in order: a pass takes a twentieth of that.
const countedFigures = 8

// joint returns the p-values of n figures, and the critical t upwards, which t
// computes from a figure's sum.
func (l *largest) joint(n int, t func(figure int, sum float64) float64) Joint {
	j := Joint{Up: make([]float64, n), Down: make([]float64, n)}
	for i := range n {
		j.Up[i], j.Down[i] = 1, 1
	}
	order := sync.OnceFunc(func() {
		slices.Sort(l.up)
		slices.Sort(l.down)
	})
	many := len(l.moved) > countedFigures
	if many {
		order()
	}
	extra := 0.0
	if l.drawn {
		extra = 1 // the observed pattern itself: a p-value is never too small
	}
	share := func(of []float64, observed float64) float64 {
		return (float64(atLeast(of, observed-slack, many)) + extra) / (float64(len(of)) + extra)
	}
	for _, s := range l.moved {
		if s.twoSided {
			p := share(l.up, math.Abs(s.observed))
			j.Up[s.figure], j.Down[s.figure] = p, p
		} else {
			j.Up[s.figure], j.Down[s.figure] = share(l.up, s.observed), share(l.down, -s.observed)
		}
	}
	j.Critical = func(figure int, alpha float64) float64 {
		allowed := int(alpha*(float64(len(l.up))+extra) - extra)
		if allowed < 1 || len(l.up) == 0 {
			return math.Inf(1)
		}
		order()
		return t(figure, l.up[max(0, len(l.up)-allowed)])
	}
	return j
}

// atLeast returns how many of the values are at least x.
func atLeast(values []float64, x float64, ordered bool) (n int) {
	if ordered {
		at, _ := slices.BinarySearch(values, x)
		return len(values) - at
	}
	for _, v := range values {
		if v >= x {
			n++
		}
	}
	return n
}

// add adds a pattern and, if its opposite is a pattern too, that one.
func (l *largest) add(pattern []uint64, opposite bool) {
	up, down := math.Inf(-1), math.Inf(-1)
	for _, s := range l.moved {
		x := s.at(pattern)
		if s.twoSided {
			up, down = max(up, math.Abs(x)), max(down, math.Abs(x))
		} else {
			up, down = max(up, x), max(down, -x)
		}
	}
	l.up, l.down = append(l.up, up), append(l.down, down)
	if opposite {
		l.up, l.down = append(l.up, down), append(l.down, up)
	}
}

// flipSigns adds all patterns of the signs of n replications, or random ones.
func (l *largest) flipSigns(n int) {
	if n <= ExactFlips {
		for pattern := range uint64(1) << (n - 1) {
			l.add([]uint64{pattern}, true)
		}
		return
	}
	source, pattern := l.draw(n)
	l.up, l.down = make([]float64, 0, l.draws(n)), make([]float64, 0, l.draws(n))
	for range l.draws(n) / 2 {
		for i := range pattern {
			pattern[i] = source.Uint64()
		}
		l.add(pattern, true)
	}
}

// divide adds all divisions of base and now replications, or random ones. A sign
// is set where a replication belongs to base.
func (l *largest) divide(base, now int) {
	n := base + now
	if n <= ExactFlips {
		for pattern := range uint64(1) << n {
			if bits.OnesCount64(pattern) == base {
				l.add([]uint64{pattern}, false)
			}
		}
		return
	}
	source, pattern := l.draw(n)
	random := rand.New(source)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for range l.draws(n) {
		clear(pattern)
		for i := range base {
			k := i + random.IntN(n-i)
			order[i], order[k] = order[k], order[i]
			pattern[order[i]/64] |= 1 << (order[i] % 64)
		}
		l.add(pattern, base == now)
		if base == now && len(l.up) >= l.draws(n) {
			break
		}
	}
}

// draw prepares for random patterns of n signs, always the same.
func (l *largest) draw(n int) (*rand.PCG, []uint64) {
	l.drawn = true
	return rand.NewPCG(0x6c696d6974676175, 0x67652d7369676e73), make([]uint64, (n+63)/64) // "limitgau", "ge-signs"
}

// draws returns the number of random patterns of n signs, an even one.
func (l *largest) draws(n int) int {
	lookups := len(l.moved) * ((n + 7) / 8)
	return max(fewestDraws, min(Draws, jointWork/lookups)) &^ 1
}

// statistic computes the sum of one figure's differences under patterns of their
// signs, eight at a time, in units of the root of the sum of their squares.
type statistic struct {
	figure   int
	twoSided bool
	sums     [][256]float64
	observed float64
}

// newStatistic returns the statistic of a figure whose first replications, as many
// as negative, have their sign set as observed. It returns nil if all differences
// are 0.
func newStatistic(figure int, differences []float64, twoSided bool, negative int) *statistic {
	most := 0.0
	for _, d := range differences {
		most = max(most, math.Abs(d))
	}
	if most == 0 {
		return nil
	}
	squares := 0.0
	scaled := make([]float64, len(differences))
	for i, d := range differences {
		scaled[i] = d / most // so that squares neither overflow nor vanish
		squares += float64(scaled[i] * scaled[i])
	}
	root := math.Sqrt(squares)
	for i := range scaled {
		scaled[i] /= root
	}
	s := &statistic{figure: figure, twoSided: twoSided, sums: signSums(scaled)}
	pattern := make([]uint64, (len(scaled)+63)/64)
	for i := range negative {
		pattern[i/64] |= 1 << (i % 64)
	}
	s.observed = s.at(pattern)
	return s
}

func (s *statistic) at(pattern []uint64) float64 {
	total := 0.0
	for g := range s.sums {
		total += s.sums[g][pattern[g/8]>>(8*(g%8))&0xff]
	}
	return total
}
