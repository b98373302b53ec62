package engine

import "math/bits"

// calendar is buckets of time whose turns come one after another: what an
// EventQueue and comebacks know of theirs.
type calendar struct {
	shift uint  // a bucket is 2^shift ns; they are counted from time 0
	first int64 // the first bucket, whose turn has not come
	some  int64 // no bucket before this one holds anything
	taken marks // of the buckets that hold anything
	held  int   // what is in buckets
}

// soonest is the first bucket that holds anything; there must be one.
func (c *calendar) soonest() int64 {
	c.some = c.taken.from(max(c.some, c.first))
	return c.some
}

// advance lets the turns come of all buckets up to the first one of which there
// is anything, here or in what lies beyond the last bucket, and is that one: ok
// is false where it begins after t, and only buckets that begin by then have had
// their turn.
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

// marks are bits of numbered buckets, modulo their number.
type marks []uint64

func (m marks) set(i int64)   { m[i>>6] |= 1 << (i & 63) }
func (m marks) clear(i int64) { m[i>>6] &^= 1 << (i & 63) }

// from is the first bucket that is marked, from one on; there must be one.
func (m marks) from(bucket int64) int64 {
	for {
		i := bucket & int64(64*len(m)-1)
		if word := m[i>>6] >> (i & 63); word != 0 {
			return bucket + int64(bits.TrailingZeros64(word))
		}
		bucket += 64 - i&63
	}
}
