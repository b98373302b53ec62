package sim

// event is something due at an instant. At one instant lower kinds come first,
// then what was scheduled first.
type event struct {
	time int64
	seq  int64
	kind uint32
	ref  int32 // what it is about, as its owner numbers things
}

func (a event) before(b event) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.seq < b.seq
}

// eventHeap is a 4-ary min-heap of events: shallower than a binary one, and
// four children share cache lines.
type eventHeap []event

func (h *eventHeap) push(e event) {
	s := append(*h, e)
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = e
	*h = s
}

func (h *eventHeap) pop() event {
	s := *h
	top := s[0]
	last := s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	n := len(s)
	if n == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if s[c].before(s[least]) {
				least = c
			}
		}
		if !s[least].before(last) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = last
	return top
}

// fifo is a queue in a ring that grows and is reused.
type fifo[T any] struct {
	ring  []T
	head  int
	count int
}

func (q *fifo[T]) len() int { return q.count }

func (q *fifo[T]) push(x T) {
	if q.count == len(q.ring) {
		grown := make([]T, max(8, 2*len(q.ring)))
		n := copy(grown, q.ring[q.head:])
		copy(grown[n:], q.ring[:q.head])
		q.ring, q.head = grown, 0
	}
	q.ring[(q.head+q.count)&(len(q.ring)-1)] = x
	q.count++
}

// front is the oldest element; the queue must not be empty.
func (q *fifo[T]) front() *T { return &q.ring[q.head] }

func (q *fifo[T]) pop() T {
	x := q.ring[q.head]
	var zero T
	q.ring[q.head] = zero
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.count--
	return x
}
