package routing

// history is the newest assignment and those before it that some client may
// still go by.
type history[T any] struct {
	delay int64 // ns until clients have an assignment
	kept  []version[T]
	count int // of all there have been
}

// version is an assignment and when it came into force.
type version[T any] struct {
	from int64
	is   T
}

// newest is the assignment in force.
func (h *history[T]) newest() *T { return &h.kept[len(h.kept)-1].is }

// known is the assignment that clients go by at now.
func (h *history[T]) known(now int64) *T {
	i := len(h.kept) - 1
	for i > 0 && h.kept[i].from > now-h.delay {
		i--
	}
	return &h.kept[i].is
}

// add puts an assignment in force at now, and forgets those that no client goes
// by any more.
func (h *history[T]) add(now int64, is T) {
	stale := 0
	for stale+1 < len(h.kept) && h.kept[stale+1].from <= now-h.delay {
		stale++
	}
	n := copy(h.kept, h.kept[stale:])
	clear(h.kept[n:])
	h.kept = append(h.kept[:n], version[T]{now, is})
	h.count++
}
