package measure

import "math/bits"

// pairTable holds an integer for each pair of a key and a flow that occurs. It is
// a hash table with linear probing, because most pairs of many keys and flows never
// occur. A pair is the number key*flows + flow.
type pairTable struct {
	slots []pairSlot // a power of two, at most 3/4 used
	used  int
}

type pairSlot struct {
	pair  int64 // plus 1; 0: the slot is free
	value int64
}

const pairSlotBytes = 16

// home returns the slot at which the search for a pair starts.
func (t *pairTable) home(pair int64) int {
	hi, lo := bits.Mul64(uint64(pair+1), 0x9e3779b97f4a7c15)
	return int(hi^lo>>17) & (len(t.slots) - 1)
}

// at returns the value of a pair, which is 0 at first, until the next call.
func (t *pairTable) at(pair int64) *int64 {
	if 4*t.used >= 3*len(t.slots) {
		t.grow()
	}
	for i := t.home(pair); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if s.pair == pair+1 {
			return &s.value
		}
		if s.pair == 0 {
			s.pair = pair + 1
			t.used++
			return &s.value
		}
	}
}

func (t *pairTable) grow() {
	before := t.slots
	t.slots, t.used = make([]pairSlot, max(64, 2*len(before))), 0
	for _, s := range before {
		if s.pair != 0 {
			*t.at(s.pair - 1) = s.value
		}
	}
}

// clear removes all pairs and keeps the memory.
func (t *pairTable) clear() {
	clear(t.slots)
	t.used = 0
}

// touch reads the first slots of the pairs of a block, see perkey.Touch.
func (t *pairTable) touch(keys, flows []int32, count int64) (sum int64) {
	if len(t.slots) < manyPairs {
		return 0
	}
	for i, key := range keys {
		sum += t.slots[t.home(int64(key)*count+int64(flows[i]))].pair
	}
	return sum
}

// manyPairs is the number of slots that do not fit the caches next to a processor.
const manyPairs = 1 << 16
