package concurrency

import (
	"cmp"
	"slices"
)

// times counts times of answers in bins of two decimal digits. Its median is that of
// libcircllhist (hist_approx_quantile), in the same floats.
type times struct {
	bins  []bin // in rising order
	count int64
}

// bin holds the times from digits/10 x 10^power to below (digits+1)/10 x 10^power, in us.
// All zeros are the bin of the time 0.
type bin struct {
	power, digits int
	count         int64
}

// powers are the powers of ten, which floats hold exactly.
var powers = func() (p [20]float64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = p[i] * 10
	}
	return p
}()

// add counts a time of at least 0 us.
func (t *times) add(us int64) {
	b := bin{count: 1}
	switch {
	case us >= 10:
		for b.power = 1; us >= 100; us /= 10 {
			b.power++
		}
		b.digits = int(us)
	case us > 0:
		b.digits = int(us) * 10
	}
	t.count++
	i, found := slices.BinarySearchFunc(t.bins, b, func(x, y bin) int {
		return cmp.Or(cmp.Compare(x.power, y.power), cmp.Compare(x.digits, y.digits))
	})
	if found {
		t.bins[i].count++
	} else {
		t.bins = slices.Insert(t.bins, i, b)
	}
}

// median returns the median in whole us, rounded down, of at least one time: the bin in
// which half of the times are reached, linear inside the bin.
func (t *times) median() int64 {
	half := float64(t.count) * 0.5
	i, lower := 0, 0.0
	upper := float64(t.bins[0].count)
	for upper < half {
		i++
		lower, upper = upper, upper+float64(t.bins[i].count)
	}
	b := t.bins[i]
	if b.digits == 0 {
		return 0
	}
	left, width := float64(float64(float64(b.digits)/10)*powers[b.power]), powers[b.power]/10
	if upper == half {
		return int64(left + width)
	}
	return int64(left + float64(float64((half-lower)/(upper-lower))*width))
}

// reset forgets all times.
func (t *times) reset() { t.bins, t.count = t.bins[:0], 0 }
