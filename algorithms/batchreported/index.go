package batchreported

import (
	"math/bits"
	"slices"
)

// index numbers the keys it is asked for 0, 1, 2 … in the order of their first
// appearance, so that a client or a server holds state only for keys it has
// seen. It is a table by key where that takes no more room than the other, an
// open-addressing table that is at most half full. (Package perkey makes room
// for 64 neighbouring keys with each, which is too much here: a fleet has many
// clients, each of which sees a few of all keys.) Keys that were expected need
// no table: they were numbered before all others, as they are.
type index struct {
	expected int32    // keys below have their own number
	direct   []int32  // slot+1 by key; nil: cells
	cells    []uint64 // slot+1 above, key below; 0 is empty
	shift    uint8
	others   []int32 // keys that were not expected, by slot from expected on
}

// smallestIndex is the number of cells of a first table.
const smallestIndex = 8

// slot returns the key's number; added says that this is its first appearance.
func (x *index) slot(key int32) (slot int32, added bool) {
	if uint32(key) < uint32(x.expected) {
		return key, false
	}
	if slot := x.dense(key); slot >= 0 {
		return slot, false
	}
	return x.search(key)
}

// dense is the key's number in the table by key, or -1.
func (x *index) dense(key int32) int32 {
	if uint(key) < uint(len(x.direct)) {
		return x.direct[key] - 1
	}
	return -1
}

// search is slot where a table by key does not know it.
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

// count is how many keys have a number.
func (x *index) count() int32 { return x.expected + int32(len(x.others)) }

// key is the one that has this number.
func (x *index) key(slot int32) int32 {
	if slot < x.expected {
		return slot
	}
	return x.others[slot-x.expected]
}

// lookup returns the key's number, if it has one.
func (x *index) lookup(key int32) (slot int32, ok bool) {
	switch {
	case uint32(key) < uint32(x.expected):
		return key, true
	case x.direct != nil:
		if uint(key) >= uint(len(x.direct)) {
			return 0, false
		}
		slot = x.direct[key]
	case len(x.cells) > 0:
		slot = int32(x.cells[x.find(key)] >> 32)
	}
	return slot - 1, slot != 0
}

// find returns the cell that holds the key, or the empty one where it belongs.
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

// rebuild makes a table for all other keys, with room for as many again.
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

// pages are tables of counters that grow with an index, by a page at a time so
// that nothing is ever moved. Pages without a slot of theirs are not made.
type pages[T any] struct {
	all  []*T
	page func(keys int) *T
}

// keysPerPage is how many keys share a page, a power of two.
const keysPerPage = 64

// at returns the page of a slot and the slot's place in it.
func (p *pages[T]) at(slot int32) (page *T, place int32) {
	return p.all[uint32(slot)/keysPerPage], slot & (keysPerPage - 1)
}

// reach makes room for a slot.
func (p *pages[T]) reach(slot int32) {
	at := int(slot / keysPerPage)
	for at >= len(p.all) {
		p.all = append(p.all, nil)
	}
	if p.all[at] == nil {
		p.all[at] = p.page(keysPerPage)
	}
}
