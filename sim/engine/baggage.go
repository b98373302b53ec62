package engine

// baggage is what a request carries besides the fields of an Attempt.
type baggage struct {
	keys             []int32 // if requests carry descriptors
	estimate, answer int64   // if costs become known with the answer: see Arrivals
	last             int64   // wait before the attempt, 0 if it is fresh; if waits depend on it
}

// set sets the baggage to a copy of another.
func (b *baggage) set(from *baggage) {
	b.setKeys(from.keys)
	b.estimate, b.answer, b.last = from.estimate, from.answer, from.last
}

func (b *baggage) setKeys(keys []int32) { b.keys = append(b.keys[:0], keys...) }

// carry returns the baggage of the attempt in slot, to be set.
func (l *EventExecutor) carry(slot int32) *baggage {
	for int(slot) >= len(l.baggage) {
		l.baggage = append(l.baggage, baggage{keys: []int32{}})
	}
	return &l.baggage[slot]
}
