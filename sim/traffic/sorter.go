package traffic

import (
	"math/bits"
	"slices"
)

// sorter sorts words in ascending order. It distributes them by their leading
// bits to buckets, a few for each word, then sorts the result by insertion.
// Evenly distributed words take a few operations each.
type sorter struct {
	dealt []uint64
	ends  []uint32 // of each bucket
}

// newSorter returns a sorter for at most words words.
func newSorter(words int) sorter {
	return sorter{dealt: make([]uint64, words), ends: make([]uint32, 1<<bucketBits(words))}
}

// bucketBits returns the binary logarithm of the number of buckets. With two to
// four buckets for each word most buckets hold at most one.
func bucketBits(words int) int { return 1 + bits.Len(uint(words)) }

// largeBucket is the number of words in a bucket from which insertion sort is
// too slow.
const largeBucket = 32

// sort returns the words in ascending order, in memory that its next call
// reuses. No word may be above most.
func (s *sorter) sort(words []uint64, most uint64) []uint64 {
	dealt, ends := s.dealt[:len(words)], s.ends[:1<<bucketBits(len(words))]
	shift := max(0, bits.Len64(most)-bucketBits(len(words)))
	clear(ends)
	for _, w := range words {
		ends[w>>shift&uint64(len(ends)-1)]++
	}
	start, fullest := uint32(0), uint32(0)
	for i, n := range ends {
		ends[i] = start
		start += n
		fullest |= n
	}
	for _, w := range words {
		end := &ends[w>>shift&uint64(len(ends)-1)]
		dealt[*end] = w
		*end++
	}
	if fullest >= largeBucket {
		sortLargeBuckets(dealt, ends)
	}
	insertionSort(dealt)
	return dealt
}

// sortLargeBuckets sorts the buckets with many words.
func sortLargeBuckets(dealt []uint64, ends []uint32) {
	start := uint32(0)
	for _, end := range ends {
		if end-start >= largeBucket {
			slices.Sort(dealt[start:end])
		}
		start = end
	}
}

// insertionSort sorts words that are nearly in order.
func insertionSort(words []uint64) {
	last := uint64(0)
	for i, w := range words {
		if w >= last {
			last = w
			continue
		}
		for ; i > 0 && words[i-1] > w; i-- {
			words[i] = words[i-1]
		}
		words[i] = w
	}
}
