package engine

import "math/bits"

// EventQueue returns events in the order of an EventHeap. Its time per event
// hardly depends on the number of events: it is a calendar queue (Brown, 1988).
// Events that are due soon are in a small heap. Later events are unsorted in
// buckets; each bucket spans an interval of time and is sorted when that
// interval begins. The width of buckets follows the rate of events. It affects
// the speed, never the order. The zero EventQueue is empty.
type EventQueue struct {
	calendar
	near  EventHeap // events before the first bucket
	far   EventHeap // events after the last bucket
	heads []int32   // by bucket number modulo their count: the newest note, 0 for none
	notes []note    // the first note is unused
	free  int32     // the first free note, 0 for none

	popped int     // since the rate was last measured
	since  int64   // when the rate was last measured
	latest int64   // the time of the last popped event
	moving []Event // scratch space of fitBuckets
}

// note is an event in a bucket and a link to the previous event of that bucket.
type note struct {
	event Event
	next  int32
}

const (
	fewestBuckets = 1 << 6
	mostBuckets   = 1 << 19
	// heapAlone is the number of events up to which a heap is faster than
	// buckets. With a shift of endless all events are in the heap.
	heapAlone = 4
	endless   = 62
)

// Push adds an event.
func (q *EventQueue) Push(e Event) {
	bucket := e.Time >> q.shift
	switch ahead := bucket - q.first; {
	case ahead < 0:
		q.near.Push(e)
	case ahead >= int64(len(q.heads)):
		q.far.Push(e)
	default:
		ref := q.free
		if ref == 0 {
			ref = int32(len(q.notes))
			q.notes = append(q.notes, note{})
		}
		n, i := &q.notes[ref], bucket&int64(len(q.heads)-1)
		q.free = n.next
		n.event, n.next = e, q.heads[i]
		q.heads[i] = ref
		q.taken.set(i)
		q.some = min(q.some, bucket)
		q.held++
	}
}

// Next returns the time of the first event if it is not after t; otherwise it
// returns some time after t. It empties no bucket that begins after t, so
// events that are pushed until then need not pass through the heap.
func (q *EventQueue) Next(t int64) int64 {
	if len(q.near) == 0 && (q.first > t>>q.shift || !q.turn(t)) {
		return Never
	}
	return q.near[0].Time
}

// Pop removes the first event. Next must have returned its time before.
func (q *EventQueue) Pop() Event {
	e := q.near.Pop()
	q.latest = e.Time
	if q.popped++; q.popped > len(q.heads) {
		q.fitBuckets()
	}
	return e
}

// PopUntil removes the events that are due at or before t and appends them to
// to, in order. t must be before Never. Events of full buckets do not pass
// through the heap.
func (q *EventQueue) PopUntil(t int64, to []Event) []Event {
	n := len(to)
	for {
		for len(q.near) > 0 && q.near[0].Time <= t {
			to = append(to, q.near.Pop())
		}
		if len(q.near) > 0 || q.first > t>>q.shift {
			break
		}
		if q.held > 0 && len(q.far) == 0 {
			if bucket := q.soonest(); bucket < t>>q.shift {
				q.first = bucket + 1
				to = q.empty(to, bucket)
				continue
			}
		}
		if !q.turn(t) {
			break
		}
	}
	if len(to) > n {
		q.latest = to[len(to)-1].Time
		if q.popped += len(to) - n; q.popped > len(q.heads) {
			q.fitBuckets()
		}
	}
	return to
}

// turn moves the events of the first bucket that holds any into the empty heap.
// It returns false if that bucket begins after t.
func (q *EventQueue) turn(t int64) bool {
	next, ok := q.advance(t, q.far)
	if !ok {
		return false
	}
	if q.held > 0 && q.some == next {
		q.near = q.empty(q.near, next) // a sorted slice is a heap
	}
	for len(q.far) > 0 && q.far[0].Time>>q.shift == next {
		q.near.Push(q.far.Pop())
	}
	return true
}

// empty removes the events of a bucket and appends them to to, in order.
func (q *EventQueue) empty(to []Event, bucket int64) []Event {
	i := bucket & int64(len(q.heads)-1)
	n := len(to)
	for ref := q.heads[i]; ref != 0; {
		e := &q.notes[ref]
		to = append(to, e.event)
		q.held--
		ref, e.next, q.free = e.next, q.free, ref
	}
	q.heads[i] = 0
	q.taken.clear(i)
	sortEvents(to[n:])
	return to
}

// fitBuckets adjusts the buckets to the events popped since its last call:
// about one event or none for each bucket, and enough buckets that few events
// lie beyond them.
func (q *EventQueue) fitBuckets() {
	shift := uint(bits.Len64(uint64(q.latest-q.since) / uint64(2*q.popped)))
	pending, number := len(q.near)+len(q.far)+q.held, fewestBuckets
	for number < min(4*pending, mostBuckets) {
		number *= 2
	}
	if pending <= heapAlone {
		shift = endless
	}
	q.popped, q.since = 0, q.latest
	if shift <= q.shift+1 && q.shift <= shift+1 && number <= len(q.heads) && number >= len(q.heads)/4 {
		return
	}
	q.moving = append(append(q.moving[:0], q.near...), q.far...)
	q.near, q.far = q.near[:0], q.far[:0]
	for q.held > 0 {
		q.moving = q.empty(q.moving, q.soonest())
	}
	if number != len(q.heads) {
		q.heads, q.taken = make([]int32, number), make(marks, number/64)
	}
	q.shift = shift
	q.first = q.latest>>shift + 1
	q.some = q.first
	if len(q.notes) == 0 {
		q.notes = append(q.notes, note{})
	}
	for _, e := range q.moving {
		q.Push(e)
	}
}
