package measure

import (
	"fmt"
	"math/bits"
	"sort"
	"unsafe"
)

// ring is a queue in chunks within a budget of bytes. Empty chunks are reused.
// Elements and chunks are numbered from 0 in the order in which they were
// added.
type ring[T any] struct {
	table      [][]T // its length is a power of two; chunk i is at i modulo the length
	oldest     int64 // the first chunk that exists; it may hold no elements
	next       int64 // the number of the next chunk
	most       int64 // largest number of chunks
	bits       uint8 // a chunk is 1<<bits elements
	head, tail int64
}

// chunkBits makes chunks so large that allocating them costs little.
const chunkBits = 10

// newRing returns a queue with a budget of bytes. With a small budget chunks
// are small, so that unused space in the first and last chunk does not matter.
func newRing[T any](budget int64) ring[T] {
	var x T
	elements := budget / int64(unsafe.Sizeof(x))
	q := ring[T]{bits: uint8(min(chunkBits, max(0, bits.Len64(uint64(elements/16))-1)))}
	q.most = max(1, elements>>q.bits)
	return q
}

// left reports whether the last chunk has room.
func (q *ring[T]) left() bool { return q.tail>>q.bits != q.next }

// extend adds a chunk. It returns false if the budget is used up.
func (q *ring[T]) extend() bool {
	var chunk []T
	switch {
	case q.oldest < q.head>>q.bits:
		chunk = q.table[q.oldest&int64(len(q.table)-1)]
		q.oldest++
	case q.next-q.oldest == q.most:
		return false
	default:
		chunk = make([]T, 1<<q.bits)
	}
	if q.next-q.oldest == int64(len(q.table)) {
		table := make([][]T, max(8, 2*len(q.table)))
		for i := q.oldest; i < q.next; i++ {
			table[i&int64(len(table)-1)] = q.table[i&int64(len(q.table)-1)]
		}
		q.table = table
	}
	q.table[q.next&int64(len(q.table)-1)] = chunk
	q.next++
	return true
}

// at returns element i, head <= i < tail.
func (q *ring[T]) at(i int64) *T {
	return &q.table[i>>(q.bits&63)&int64(len(q.table)-1)][i&(1<<(q.bits&63)-1)]
}

// run returns the elements from lo on and before hi that are contiguous in
// memory.
func (q *ring[T]) run(lo, hi int64) []T {
	chunk := q.table[lo>>(q.bits&63)&int64(len(q.table)-1)]
	at := lo & int64(len(chunk)-1)
	return chunk[at:min(int64(len(chunk)), at+hi-lo)]
}

// firstIn returns the first element of the chunk of element i.
func (q *ring[T]) firstIn(i int64) int64 { return i >> q.bits << q.bits }

// lastIn returns the last element of the chunk of element i.
func (q *ring[T]) lastIn(i int64) int64 { return i | (1<<q.bits - 1) }

// memoryNeed computes an upper bound of the number of elements that a ring over
// span ns would hold. Any such span overlaps at most two calendar intervals of
// that length.
type memoryNeed struct {
	span             int64
	index            int64
	current, earlier int64
	most             int64
}

// add counts n elements in time order; element i has the time at(i).
func (n *memoryNeed) add(count int, at func(i int) int64) {
	for from := 0; from < count; {
		i := at(from) / n.span
		if i != n.index {
			n.earlier = 0
			if i == n.index+1 {
				n.earlier = n.current
			}
			n.index, n.current = i, 0
		}
		to := count
		if end := (i + 1) * n.span; at(count-1) >= end {
			to = from + sort.Search(count-from, func(k int) bool { return at(from+k) >= end })
		}
		n.current += int64(to - from)
		n.most = max(n.most, n.current+n.earlier)
		from = to
	}
}

// reason states the measure_memory that would suffice. Two queues share it, and
// each may waste part of its first and last chunk.
func (n *memoryNeed) reason(element int64) string {
	bytes := 2 * (n.most + 2<<chunkBits) * element
	return fmt.Sprintf("needs up to %d MiB of measure_memory", (bytes+1<<20-1)>>20)
}
