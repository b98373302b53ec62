package batchreported

import (
	"math/bits"
	"slices"
)

// index numbers keys 0, 1, 2 … in the order of their first appearance, so that a
// client or a server holds state only for keys it has seen. It is a table by key
// if that takes no more memory than the alternative, an open-addressing hash
// table that is at most half full. (Package perkey allocates 64 adjacent keys
// together, which is too much here: each of many clients sees few of the keys.)
// Expected keys need no table: their number is the key.
type index struct {
	expected int32    // keys below this are their own number
	direct   []int32  // slot+1 by key; nil: cells are used
	cells    []uint64 // slot+1 in the high half, key in the low half; 0 is empty
	shift    uint8
	others   []int32 // keys that were not expected; the first has slot expected
}

// smallestIndex is the number of cells of a new hash table.
const smallestIndex = 8

// slot returns the key's number. added reports whether this is its first appearance.
func (x *index) slot(key int32) (slot int32, added bool) {
	if uint32(key) < uint32(x.expected) {
		return key, false
	}
	if slot := x.dense(key); slot >= 0 {
		return slot, false
	}
	return x.search(key)
}

// dense returns the key's number in the table by key, or -1.
func (x *index) dense(key int32) int32 {
	if uint(key) < uint(len(x.direct)) {
		return x.direct[key] - 1
	}
	return -1
}

// search is slot for a key that is not in a table by key.
func (x *index) search(key int32) (slot int32, added bool) {
	if x.direct == nil && len(x.cells) > 0 {
		if cell := x.cells[x.find(key)]; cell != 0 {
			return int32(cell>>32) - 1, false
		}
	}
	x.others = append(x.others, key)
	slot = x.count() - 1
	if x.direct != nil && uint(key) >= uint(len(x.direct)) || x.direct == nil && 2*len(x.others) > len(x.cells) {
		x.rebuild()
	} else {
		x.enter(key, slot)
	}
	return slot, true
}

// count returns how many keys have a number.
func (x *index) count() int32 { return x.expected + int32(len(x.others)) }

// key returns the key with this number.
func (x *index) key(slot int32) int32 {
	if slot < x.expected {
		return slot
	}
	return x.others[slot-x.expected]
}

// lookup returns the key's number. ok is false if it has none.
func (x *index) lookup(key int32) (slot int32, ok bool) {
	if uint32(key) < uint32(x.expected) {
		return key, true
	}
	if slot = x.dense(key); x.direct == nil && len(x.cells) > 0 {
		slot = int32(x.cells[x.find(key)]>>32) - 1
	}
	return slot, slot >= 0
}

// find returns the cell that holds the key, or the empty cell where it belongs.
func (x *index) find(key int32) uint64 {
	mask := uint64(len(x.cells) - 1)
	at := uint64(uint32(key)) * 0x9e3779b97f4a7c15 >> (x.shift & 63)
	for x.cells[at&mask] != 0 && uint32(x.cells[at&mask]) != uint32(key) {
		at++
	}
	return at & mask
}

func (x *index) enter(key, slot int32) {
	if x.direct != nil {
		x.direct[key] = slot + 1
	} else {
		x.cells[x.find(key)] = uint64(slot+1)<<32 | uint64(uint32(key))
	}
}

// rebuild makes a table for all unexpected keys, with room for as many more.
func (x *index) rebuild() {
	cells := smallestIndex
	for cells < 4*len(x.others) {
		cells *= 2
	}
	least, most := slices.Min(x.others), slices.Max(x.others)
	x.direct, x.cells = nil, nil
	if least >= 0 && int(most) < 2*cells {
		x.direct = make([]int32, 2*cells)
	} else {
		x.cells = make([]uint64, cells)
		x.shift = uint8(64 - bits.TrailingZeros(uint(cells)))
	}
	for i, key := range x.others {
		x.enter(key, x.expected+int32(i))
	}
}
