package batch

import (
	"math/bits"
	"slices"
)

// index numbers the keys it is asked for 0, 1, 2 … in the order of their first
// appearance, so that a client or a server holds state only for keys it has
// seen. It is a table by key where that takes no more room than the other, an
// open-addressing table that is at most half full. (Package perkey makes room
// for 64 neighbouring keys with each, which is too much here: a fleet has many
// clients, each of which sees a few of all keys.)
type index struct {
	direct []int32  // slot+1 by key; nil: cells
	cells  []uint64 // slot+1 above, key below; 0 is empty
	shift  uint8
	keys   []int32 // by slot
}

// smallestIndex is the number of cells of a first table.
const smallestIndex = 8

// slot returns the key's number; added says that this is its first appearance.
func (x *index) slot(key int32) (slot int32, added bool) {
	if uint(key) < uint(len(x.direct)) {
		if slot := x.direct[key]; slot != 0 {
			return slot - 1, false
		}
	}
	return x.search(key)
}

// search is slot where a table by key does not know it.
func (x *index) search(key int32) (slot int32, added bool) {
	if x.direct == nil && len(x.cells) > 0 {
		if cell := x.cells[x.find(key)]; cell != 0 {
			return int32(cell>>32) - 1, false
		}
	}
	x.keys = append(x.keys, key)
	if x.direct != nil && uint(key) >= uint(len(x.direct)) || x.direct == nil && 2*len(x.keys) > len(x.cells) {
		x.rebuild()
	} else {
		x.enter(key, int32(len(x.keys)))
	}
	return int32(len(x.keys)) - 1, true
}

// lookup returns the key's number, if it has one.
func (x *index) lookup(key int32) (slot int32, ok bool) {
	switch {
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
		x.direct[key] = slot
	} else {
		x.cells[x.find(key)] = uint64(slot)<<32 | uint64(uint32(key))
	}
}

// rebuild makes a table for all keys, with room for as many again.
func (x *index) rebuild() {
	cells := smallestIndex
	for cells < 4*len(x.keys) {
		cells *= 2
	}
	least, most := slices.Min(x.keys), slices.Max(x.keys)
	x.direct, x.cells = nil, nil
	if least >= 0 && int(most) < 2*cells {
		x.direct = make([]int32, 2*cells)
	} else {
		x.cells = make([]uint64, cells)
		x.shift = uint8(64 - bits.TrailingZeros(uint(cells)))
	}
	for i, key := range x.keys {
		x.enter(key, int32(i)+1)
	}
}

// pages are tables of counters that grow with an index, by a page at a time so
// that nothing is ever moved. Pages without a slot of theirs are not made.
type pages[T any] struct {
	all  []*T
	page func(keys int) *T
}

// keysPerPage is how many keys share a page.
const keysPerPage = 64

// at returns the page of a slot and the slot's place in it.
func (p *pages[T]) at(slot int32) (page *T, place int32) {
	return p.all[slot/keysPerPage], slot % keysPerPage
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
