package measure

import (
	"cmp"
	"slices"
)

// Distribution holds observations in rising order, with how often each occurred.
type Distribution []Observation

// Observation is a value that occurred N times, N > 0. If it stands for a bucket, values lie
// around X, the lowest and the highest Width apart.
type Observation struct {
	X, Width float64
	N        int64
}

// add adds an exact observation that is not below the last one.
func (d *Distribution) add(x float64, n int64) { d.addBucket(Observation{X: x, N: n}) }

// addBucket adds an observation that is not below the last one.
func (d *Distribution) addBucket(o Observation) {
	if last := len(*d) - 1; last >= 0 && (*d)[last].X == o.X {
		(*d)[last].N += o.N
		return
	}
	*d = append(*d, o)
}

// quantile returns the observation at the nearest rank among n, 0 if there are none.
func (d Distribution) quantile(permille, n int64) float64 {
	o, _ := d.at(rank(permille, n))
	return o.X
}

// within is quantile, but it spreads the observations of a bucket evenly over its width. It
// moves where the quantile of buckets stands still, so it tells how far it would move.
func (d Distribution) within(permille, n int64) float64 {
	o, place := d.at(rank(permille, n))
	return o.X + float64(o.Width*(float64(2*place-1)/float64(2*max(o.N, 1))-0.5))
}

// at returns the observation of a rank, and the rank's place in it from 1. It is zero if
// there are none.
func (d Distribution) at(rank int64) (o Observation, place int64) {
	for _, o = range d {
		if place, rank = rank, rank-o.N; rank <= 0 {
			break
		}
	}
	return o, place
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
		p.all.addBucket(o)
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

// WithoutEach returns the quantile without each of the parts, where buckets are spread
// evenly over their width. Without a part that has all observations it is that of all.
func (p *Pooled) WithoutEach(permille int64) []float64 {
	list := make([]float64, len(p.parts))
	left := make(Distribution, 0, len(p.all))
	for i, part := range p.parts {
		if part == nil {
			list[i] = p.all.within(permille, p.count)
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
		if list[i] = left.within(permille, count); count == 0 {
			list[i] = p.all.within(permille, p.count)
		}
	}
	return list
}
