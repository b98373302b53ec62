package bounds

import "math/bits"

// unset is the value of a place without a number. It stays the largest whatever is
// added to it: sums are at most 2^61.
const unset = int64(1) << 62

// tree holds numbers at places 0 to n-1. Set, addBefore and least take time in the
// logarithm of n. Each node has the least number below it, without what was added to
// a node above it.
type tree struct {
	leaves int // a power of two
	low    []int64
	added  []int64
}

func newTree(n int) *tree {
	leaves := 1 << bits.Len(uint(n))
	t := &tree{leaves: leaves, low: make([]int64, 2*leaves), added: make([]int64, 2*leaves)}
	for i := range t.low {
		t.low[i] = unset
	}
	return t
}

// least returns the least number, or unset or more if there is none.
func (t *tree) least() int64 { return t.low[1] }

// set puts a number at a place, on top of what was added to the place before.
func (t *tree) set(place int, number int64) {
	node := place + t.leaves
	t.low[node] = number + t.added[node]
	for node /= 2; node > 0; node /= 2 {
		t.low[node] = min(t.low[2*node], t.low[2*node+1]) + t.added[node]
	}
}

// addBefore adds d, which can be negative, to the numbers at all places before end.
func (t *tree) addBefore(end int, d int64) {
	if end <= 0 {
		return
	}
	// The places before end are the subtrees to the left of the path to end.
	for node := end + t.leaves; node > 1; {
		if node%2 == 1 {
			t.low[node-1] += d
			t.added[node-1] += d
		}
		node /= 2
		t.low[node] = min(t.low[2*node], t.low[2*node+1]) + t.added[node]
	}
}
