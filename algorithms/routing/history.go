package routing

// history holds the newest assignment and the earlier ones that some client may
// still use.
type history[T any] struct {
	delay int64 // ns until clients receive an assignment
	stale int64 // ns for which stale clients use an earlier one beyond that
	kept  []version[T]
	count int // number of assignments so far
}

// version is an assignment and the time from which it is in force.
type version[T any] struct {
	from int64
	is   T
}

// set takes the times of a map's configuration.
func (h *history[T]) set(c *Config) { h.delay, h.stale = c.Propagation, c.Stale }

// newest returns the assignment in force.
func (h *history[T]) newest() *T { return &h.kept[len(h.kept)-1].is }

// known returns the assignment that clients use at now.
func (h *history[T]) known(now int64) *T {
	i := len(h.kept) - 1
	for i > 0 && h.kept[i].from > now-h.delay {
		i--
	}
	return &h.kept[i].is
}

// add puts an assignment in force at now, and removes those that no client uses any
// more.
func (h *history[T]) add(now int64, is T) {
	stale := 0
	for stale+1 < len(h.kept) && h.kept[stale+1].from <= now-h.delay-h.stale {
		stale++
	}
	n := copy(h.kept, h.kept[stale:])
	clear(h.kept[n:])
	h.kept = append(h.kept[:n], version[T]{now, is})
	h.count++
}
