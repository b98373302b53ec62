package measure

import (
	"fmt"
	"unsafe"
)

// ring is a queue that grows by doubling within a budget of bytes. Elements
// are numbered from 0 by the order in which they came.
type ring[T any] struct {
	buf        []T // a power of two
	head, tail int64
	budget     int64
}

// room is how many of n more elements there is room for.
func (q *ring[T]) room(n int) int {
	for q.tail-q.head+int64(n) > int64(len(q.buf)) && q.grow() {
	}
	return min(n, len(q.buf)-int(q.tail-q.head))
}

// at is element i, head <= i < tail.
func (q *ring[T]) at(i int64) *T { return &q.buf[i&int64(len(q.buf)-1)] }

// run is the elements from lo on, before hi, that lie in a row.
func (q *ring[T]) run(lo, hi int64) []T {
	at := lo & int64(len(q.buf)-1)
	return q.buf[at:min(int64(len(q.buf)), at+hi-lo)]
}

// grow doubles the room; while it copies it holds both.
func (q *ring[T]) grow() bool {
	var x T
	size := max(64, 2*len(q.buf))
	if int64(size+len(q.buf))*int64(unsafe.Sizeof(x)) > q.budget {
		return false
	}
	buf := make([]T, size)
	for i := q.head; i < q.tail; {
		i += int64(copy(buf[i&int64(size-1):], q.run(i, q.tail)))
	}
	q.buf = buf
	return true
}

// need bounds how much memory a ring over the last span ns would have needed:
// any such span touches at most two calendar intervals of that length.
type need struct {
	span             int64
	index            int64
	current, earlier int64
	most             int64
}

func (n *need) add(times []int64) {
	for len(times) > 0 {
		i := times[0] / n.span
		if i != n.index {
			n.earlier = 0
			if i == n.index+1 {
				n.earlier = n.current
			}
			n.index, n.current = i, 0
		}
		count := len(times)
		if end := (i + 1) * n.span; times[count-1] >= end {
			count = searchTime(times, end)
		}
		n.current += int64(count)
		n.most = max(n.most, n.current+n.earlier)
		times = times[count:]
	}
}

// reason says what measure_memory would do: rings double, and hold the old
// half while they grow, and the memory is shared by two figures.
func (n *need) reason(element int64) string {
	slots := int64(64)
	for slots < n.most {
		slots *= 2
	}
	bytes := 2 * (slots + slots/2) * element
	return fmt.Sprintf("needs up to %d MiB of measure_memory", (bytes+1<<20-1)>>20)
}
