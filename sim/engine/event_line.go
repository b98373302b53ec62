package engine

// EventLine returns events in the order of an EventQueue, all events that are
// due together. While events are pushed in that order, for example because
// every message takes equally long, it stores them in a FIFO, which is much
// cheaper. The first event out of order and all later ones go to a queue until
// that is empty. The zero EventLine is empty.
type EventLine struct {
	line  FIFO[Event]
	last  Event // the newest event in line
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

// PopUntil removes the events that are due at or before t and appends them to
// to, in order.
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
	if m > n { // both the line and the queue held due events
		sortEvents(to[n:])
	}
	return to
}
