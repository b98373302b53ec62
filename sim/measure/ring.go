package measure

import (
	"fmt"
	"math/bits"
	"sort"
	"unsafe"
)

// ring is a queue in chunks, which serve again once all that they hold is gone,
// within a budget of bytes. Elements are numbered from 0 by the order in which
// they came, chunks too.
type ring[T any] struct {
	table      [][]T // a power of two; a chunk is where its number says, modulo that
	oldest     int64 // the first chunk that there is, though it may hold nothing any more
	next       int64 // the first chunk that there is not
	most       int64 // chunks
	bits       uint8 // a chunk is 1<<bits elements
	head, tail int64
}

// chunkBits makes a chunk large enough that taking a new one hardly counts.
const chunkBits = 10

// newRing returns a queue for which there are so many bytes. Where they are few,
// chunks are small, so that what lies fallow in the first one and the last does
// not matter.
func newRing[T any](budget int64) ring[T] {
	var x T
	elements := budget / int64(unsafe.Sizeof(x))
	q := ring[T]{bits: uint8(min(chunkBits, max(0, bits.Len64(uint64(elements/16))-1)))}
	q.most = max(1, elements>>q.bits)
	return q
}

// left reports whether there is room behind the last element.
func (q *ring[T]) left() bool { return q.tail>>q.bits != q.next }

// extend adds a chunk. It reports whether there is memory for it.
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

// at is element i, head <= i < tail.
func (q *ring[T]) at(i int64) *T {
	return &q.table[i>>(q.bits&63)&int64(len(q.table)-1)][i&(1<<(q.bits&63)-1)]
}

// run is the elements from lo on, before hi, that lie in a row.
func (q *ring[T]) run(lo, hi int64) []T {
	chunk := q.table[lo>>(q.bits&63)&int64(len(q.table)-1)]
	at := lo & int64(len(chunk)-1)
	return chunk[at:min(int64(len(chunk)), at+hi-lo)]
}

// firstIn is the first element of the chunk of element i.
func (q *ring[T]) firstIn(i int64) int64 { return i >> q.bits << q.bits }

// lastIn is the last element of the chunk of element i.
func (q *ring[T]) lastIn(i int64) int64 { return i | (1<<q.bits - 1) }

// need bounds how much memory a ring over the last span ns would have needed:
// any such span touches at most two calendar intervals of that length.
type memoryNeed struct {
	span             int64
	index            int64
	current, earlier int64
	most             int64
}

// add counts n elements, of which the i-th is of time at(i).
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

// reason says what measure_memory would do: it is shared by two queues, and
// neither need fill its first chunk and its last.
func (n *memoryNeed) reason(element int64) string {
	bytes := 2 * (n.most + 2<<chunkBits) * element
	return fmt.Sprintf("needs up to %d MiB of measure_memory", (bytes+1<<20-1)>>20)
}
