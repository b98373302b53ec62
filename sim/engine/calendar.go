package engine

import "math/bits"

// calendar counts the buckets of a calendar queue. EventQueue and retryQueue
// share it.
type calendar struct {
	shift uint  // a bucket spans 2^shift ns; buckets are numbered from time 0
	first int64 // the first bucket that has not been emptied
	some  int64 // no bucket before this one holds an element
	taken marks // marks the buckets that hold elements
	held  int   // elements in buckets
}

// soonest returns the first bucket that holds an element. There must be one.
func (c *calendar) soonest() int64 {
	c.some = c.taken.from(max(c.some, c.first))
	return c.some
}

// advance passes over all buckets up to the first one that holds an element, in
// a bucket or in the heap of elements beyond the last bucket, and returns it.
// If that bucket begins after t, ok is false and only the buckets that begin at
// or before t are passed over.
func (c *calendar) advance(t int64, beyond EventHeap) (bucket int64, ok bool) {
	bucket, last := Never, t>>c.shift
	if c.held > 0 {
		bucket = c.soonest()
	}
	if len(beyond) > 0 {
		bucket = min(bucket, beyond[0].Time>>c.shift)
	}
	if bucket > last {
		c.first = max(c.first, last+1)
		return 0, false
	}
	c.first = bucket + 1
	return bucket, true
}

// marks is a ring of bits, one for each bucket.
type marks []uint64

func (m marks) set(i int64)   { m[i>>6] |= 1 << (i & 63) }
func (m marks) clear(i int64) { m[i>>6] &^= 1 << (i & 63) }

// from returns the first marked bucket that is not before bucket. There must be
// one.
func (m marks) from(bucket int64) int64 {
	for {
		i := bucket & int64(64*len(m)-1)
		if word := m[i>>6] >> (i & 63); word != 0 {
			return bucket + int64(bits.TrailingZeros64(word))
		}
		bucket += 64 - i&63
	}
}
