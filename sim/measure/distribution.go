package measure

import (
	"cmp"
	"slices"
)

// Distribution holds observations in rising order, with how often each occurred.
type Distribution []Observation

// Observation is a value that occurred N times, N > 0.
type Observation struct {
	X float64
	N int64
}

// add adds an observation that is not below the last one.
func (d *Distribution) add(x float64, n int64) {
	if last := len(*d) - 1; last >= 0 && (*d)[last].X == x {
		(*d)[last].N += n
		return
	}
	*d = append(*d, Observation{x, n})
}

// quantile returns the observation at the nearest rank among n, 0 if there are none.
func (d Distribution) quantile(permille, n int64) float64 {
	left, x := rank(permille, n), 0.0
	for _, o := range d {
		if x, left = o.X, left-o.N; left <= 0 {
			break
		}
	}
	return x
}

// Pooled holds the observations of several replications.
type Pooled struct {
	all   Distribution
	count int64
	parts []*Distribution
}

// PoolOf pools the distributions of replications. A nil one has no observations.
func PoolOf(parts []*Distribution) Pooled {
	p := Pooled{parts: parts}
	var all Distribution
	for _, d := range parts {
		if d != nil {
			all = append(all, *d...)
		}
	}
	slices.SortFunc(all, func(a, b Observation) int { return cmp.Compare(a.X, b.X) })
	for _, o := range all {
		p.all.add(o.X, o.N)
		p.count += o.N
	}
	return p
}

// Count returns the number of observations.
func (p *Pooled) Count() int64 { return p.count }

// Quantile returns the quantile of all observations by nearest rank, 0 of none.
func (p *Pooled) Quantile(permille int64) float64 { return p.all.quantile(permille, p.count) }

// Beyond returns how many observations have a higher rank than the quantile.
func (p *Pooled) Beyond(permille int64) int64 { return p.count - rank(permille, p.count) }

// WithoutEach returns the quantile without each of the parts. Without a part that has all
// observations it is that of all.
func (p *Pooled) WithoutEach(permille int64) []float64 {
	list := make([]float64, len(p.parts))
	left := make(Distribution, 0, len(p.all))
	for i, part := range p.parts {
		if part == nil {
			list[i] = p.Quantile(permille)
			continue
		}
		left, list[i] = left[:0], 0
		count, k := int64(0), 0
		for _, o := range p.all {
			if k < len(*part) && (*part)[k].X == o.X {
				o.N -= (*part)[k].N
				k++
			}
			if o.N > 0 {
				left = append(left, o)
				count += o.N
			}
		}
		if list[i] = left.quantile(permille, count); count == 0 {
			list[i] = p.Quantile(permille)
		}
	}
	return list
}
