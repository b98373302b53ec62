package engine

// EventLine hands out events in the order of an EventQueue, all that are due
// together. While they are pushed in that order, as by a hop that always takes as
// long, they wait in a line, which is much cheaper; from the first that is not
// on, they go into a queue until that is empty. The zero EventLine is empty.
type EventLine struct {
	line  FIFO[Event]
	last  Event // of the line
	queue EventQueue
	aside int // events in the queue
}

// Push adds an event.
func (l *EventLine) Push(e Event) {
	if l.aside > 0 || l.line.Len() > 0 && e.before(l.last) {
		l.aside++
		l.queue.Push(e)
		return
	}
	l.last = e
	l.line.Push(e)
}

// PopUntil appends what is due at or before t, in order.
func (l *EventLine) PopUntil(t int64, to []Event) []Event {
	n := len(to)
	for l.line.Len() > 0 && l.line.Front().Time <= t {
		to = append(to, l.line.Pop())
	}
	if l.aside == 0 {
		return to
	}
	m := len(to)
	to = l.queue.PopUntil(t, to)
	l.aside -= len(to) - m
	if m > n { // what is left of the line, when the queue has begun to fill
		sortEvents(to[n:])
	}
	return to
}
