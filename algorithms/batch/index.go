package batch

import "math/bits"

// index numbers the keys it is asked for 0, 1, 2 … in the order of their first
// appearance, so that a client or a server holds state only for keys it has
// seen. It is an open-addressing table, at most half full.
type index struct {
	cells []uint64 // slot+1 above, key below; 0 is empty
	shift uint8
	count int32
}

// smallestIndex is the number of cells of a first table.
const smallestIndex = 8

// slot returns the key's number; added says that this is its first appearance.
func (x *index) slot(key int32) (slot int32, added bool) {
	if 2*int(x.count) >= len(x.cells) {
		x.grow()
	}
	at := x.find(key)
	if cell := x.cells[at]; cell != 0 {
		return int32(cell>>32) - 1, false
	}
	x.count++
	x.cells[at] = uint64(x.count)<<32 | uint64(uint32(key))
	return x.count - 1, true
}

// lookup returns the key's number, if it has one.
func (x *index) lookup(key int32) (slot int32, ok bool) {
	if x.count == 0 {
		return 0, false
	}
	cell := x.cells[x.find(key)]
	return int32(cell>>32) - 1, cell != 0
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

func (x *index) grow() {
	old := x.cells
	x.cells = make([]uint64, max(smallestIndex, 2*len(old)))
	x.shift = uint8(64 - bits.TrailingZeros(uint(len(x.cells))))
	for _, cell := range old {
		if cell != 0 {
			x.cells[x.find(int32(uint32(cell)))] = cell
		}
	}
}

// pages are tables of counters that grow with an index, by a page at a time so
// that nothing is ever moved.
type pages[T any] struct {
	all  []T
	page func(keys int) T
}

// keysPerPage is how many keys share a page.
const keysPerPage = 64

// at returns the page of a slot and the slot's place in it.
func (p *pages[T]) at(slot int32) (page T, place int32) {
	return p.all[slot/keysPerPage], slot % keysPerPage
}

// reach makes room for a slot that is at most one beyond the last.
func (p *pages[T]) reach(slot int32) {
	if int(slot/keysPerPage) == len(p.all) {
		p.all = append(p.all, p.page(keysPerPage))
	}
}
