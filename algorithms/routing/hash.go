package routing

import "math/bits"

// Hash returns the hash of a key: the mixing function of SplitMix64 (Stafford's
// variant 13 of key + the golden ratio in 2^-64).
func Hash(key int32) uint64 { return mix(uint64(uint32(key))) }

func mix(x uint64) uint64 {
	z := x + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Owner returns the server, 0 to servers-1, that owns a key if keys never move:
// floor(Hash(key) * servers / 2^64).
func Owner(key int32, servers int) int32 { return part(Hash(key), servers) }

// part returns in which of n equal parts of the hash space a hash lies.
func part(hash uint64, n int) int32 {
	hi, _ := bits.Mul64(hash, uint64(n))
	return int32(hi)
}
