package demands

import (
	"cmp"
	"math/bits"
	"slices"
)

// Table holds an integer for each pair of a key and a flow that occurs. It is a hash
// table with linear probing, because most pairs of many keys and flows never occur. A
// pair is the number key*flows + flow. The zero Table is empty and ready to use.
type Table struct {
	slots []slot // a power of two, at most 3/4 used
	used  int
}

type slot struct {
	pair  int64 // plus 1; 0: the slot is free
	value int64
}

// SlotBytes is the memory of a slot. At most 3/4 of the slots are used, at least 3/8.
const SlotBytes = 16

// home returns the slot at which the search for a pair starts.
func (t *Table) home(pair int64) int {
	hi, lo := bits.Mul64(uint64(pair+1), 0x9e3779b97f4a7c15)
	return int(hi^lo>>17) & (len(t.slots) - 1)
}

// At returns the value of a pair, which is 0 at first, until the next call.
func (t *Table) At(pair int64) *int64 {
	if t.full() {
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

// full reports whether the next call of At doubles the slots.
func (t *Table) full() bool { return 4*t.used >= 3*len(t.slots) }

func (t *Table) grow() {
	before := t.slots
	t.slots, t.used = make([]slot, max(64, 2*len(before))), 0
	for _, s := range before {
		if s.pair != 0 {
			*t.At(s.pair - 1) = s.value
		}
	}
}

// sorted returns the pairs in their order, in the memory of the table, which is empty
// from then on.
func (t *Table) sorted() []slot {
	all := slices.DeleteFunc(t.slots, func(s slot) bool { return s.pair == 0 })
	slices.SortFunc(all, func(a, b slot) int { return cmp.Compare(a.pair, b.pair) })
	*t = Table{}
	return all
}

// Touch reads the first slots of the pairs of a block, see perkey.Touch.
func (t *Table) Touch(keys, flows []int32, count int64) (sum int64) {
	if len(t.slots) < manySlots {
		return 0
	}
	for i, key := range keys {
		sum += t.slots[t.home(int64(key)*count+int64(flows[i]))].pair
	}
	return sum
}

// manySlots is the number of slots that do not fit the caches next to a processor.
const manySlots = 1 << 16
