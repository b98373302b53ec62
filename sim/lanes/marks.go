package lanes

import "math/bits"

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
