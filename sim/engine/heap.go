package engine

import "slices"

// Event is something that happens at a time. At equal times lower kinds come
// first, then lower sequence numbers.
type Event struct {
	Time int64
	Seq  int64
	Kind uint32
	Ref  int32 // identifies the subject in a numbering of the owner
}

func (a Event) before(b Event) bool {
	if a.Time != b.Time {
		return a.Time < b.Time
	}
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	return a.Seq < b.Seq
}

// sortEvents sorts events; usually there are very few.
func sortEvents(s []Event) {
	if len(s) > insertionSortMax {
		slices.SortFunc(s, func(a, b Event) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(s); i++ {
		e, j := s[i], i
		for ; j > 0 && e.before(s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = e
	}
}

// EventHeap is a 4-ary min-heap of events. It is flatter than a binary heap,
// and four children share cache lines.
type EventHeap []Event

// Push adds an event.
func (h *EventHeap) Push(e Event) {
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

// Pop removes the first event. The heap must not be empty.
func (h *EventHeap) Pop() Event {
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

// FIFO is a first-in, first-out queue in a ring buffer that grows, to at most
// mostWaiting elements.
type FIFO[T any] struct {
	ring  []T
	head  int
	count int
}

// Len returns the number of elements.
func (q *FIFO[T]) Len() int { return q.count }

// Push appends an element.
func (q *FIFO[T]) Push(x T) {
	if q.count == len(q.ring) {
		crowded(q.count)
		grown := make([]T, max(8, 2*len(q.ring)))
		n := copy(grown, q.ring[q.head:])
		copy(grown[n:], q.ring[:q.head])
		q.ring, q.head = grown, 0
	}
	q.ring[(q.head+q.count)&(len(q.ring)-1)] = x
	q.count++
}

// Front returns the oldest element. The queue must not be empty.
func (q *FIFO[T]) Front() *T { return &q.ring[q.head] }

// Pop removes the oldest element. The queue must not be empty.
func (q *FIFO[T]) Pop() T {
	x := q.ring[q.head]
	var zero T
	q.ring[q.head] = zero
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.count--
	return x
}
