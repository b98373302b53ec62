package measure

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/sim/results"
)

// histogram counts durations. Below 256 ns it is exact; above it has 128
// buckets for each power of two, whose middle is at most 0.4 % away from any
// value in them. Count, mean and maximum are exact. The zero histogram is
// empty. It allocates buckets when the first value other than 0 is recorded.
type histogram struct {
	n      int64
	zeros  int64
	max    int64
	sum    sum128
	counts []int64
}

const (
	subBits     = 7
	subCount    = 1 << subBits
	bucketCount = (63-subBits)*subCount + subCount // buckets up to 2^63
)

// record counts a value. Negative values count as 0.
func (h *histogram) record(v int64) {
	h.n++
	if v <= 0 {
		h.zeros++
		return
	}
	if h.counts == nil {
		h.counts = make([]int64, bucketCount)
	}
	h.max = max(h.max, v)
	h.sum.add(v)
	h.counts[bucketOf(v)]++
}

// recordAll records many values.
func (h *histogram) recordAll(values []int64) {
	if len(values) == 0 {
		return
	}
	if h.counts == nil {
		h.counts = make([]int64, bucketCount)
	}
	counts, sum, most := h.counts, h.sum, h.max
	for _, v := range values {
		if v <= 0 {
			h.zeros++
			continue
		}
		most = max(most, v)
		sum.add(v)
		counts[bucketOf(v)]++
	}
	h.n += int64(len(values))
	h.sum, h.max = sum, most
}

// recordZeros records n zeros.
func (h *histogram) recordZeros(n int64) {
	h.n += n
	h.zeros += n
}

func bucketOf(v int64) int {
	shift := max(0, bits.Len64(uint64(v))-subBits-1)
	return shift<<subBits + int(v>>shift)
}

// bucketBounds returns the range [lo, lo+width) of a bucket.
func bucketBounds(i int) (lo, width int64) {
	shift := max(0, i>>subBits-1)
	return int64(i-shift<<subBits) << shift, 1 << shift
}

// quantile returns the value at the nearest rank: the middle of its bucket, at
// most the maximum.
func (h *histogram) quantile(permille int64) int64 {
	left := rank(permille, h.n) - h.zeros
	if left <= 0 {
		return 0
	}
	for i, c := range h.counts {
		if left -= c; left <= 0 {
			lo, width := bucketBounds(i)
			return min(lo+(width-1)/2, h.max)
		}
	}
	return h.max
}

// distribution returns the values as quantile and max return them, in units of scale ns.
func (h *histogram) distribution(scale int64) *Distribution {
	d := &Distribution{}
	for _, b := range h.buckets() {
		x, width := b.Lo+(b.Hi-b.Lo-1)/2, b.Hi-b.Lo-1
		if x > h.max { // its values are at most that, and often all are it, such as waits of a full queue
			x, width = h.max, 0
		}
		d.addBucket(Observation{ratio(1, x, scale), ratio(1, width, scale), b.Count})
	}
	if last := len(*d) - 1; last >= 0 && (*d)[last].X < ratio(1, h.max, scale) { // the exact maximum is one of the last bucket
		top := &(*d)[last]
		if top.N--; top.N == 0 {
			*d = (*d)[:last]
		}
		d.add(ratio(1, h.max, scale), 1)
	}
	return d
}

// meanOver returns the mean in units of scale ns.
func (h *histogram) meanOver(scale int64) float64 {
	return quotient(h.sum.big(), product(h.n, scale))
}

// buckets returns the buckets that count durations in ns.
func (h *histogram) buckets() (list []results.Bucket) {
	if h.zeros > 0 {
		list = append(list, results.Bucket{Lo: 0, Hi: 1, Count: h.zeros})
	}
	for i, c := range h.counts {
		if c > 0 {
			lo, width := bucketBounds(i)
			list = append(list, results.Bucket{Lo: lo, Hi: lo + width, Count: c})
		}
	}
	return list
}

// BucketsOf returns the distribution of durations in ns as Histograms gives it.
func BucketsOf(values []int64) []results.Bucket {
	var h histogram
	h.recordAll(values)
	return h.buckets()
}
