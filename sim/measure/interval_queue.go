package measure

import "unsafe"

// intervalQueue finds the most that was let through in any interval of each of
// some lengths, with one queue of instants for all of them.
type intervalQueue struct {
	queue  ring[instant]
	points []intervalPeak // by their length, the longest last
	needs  []memoryNeed   // of some lengths, to say what memory they need
	held   int            // of the points, the shortest, for which there is memory
	latest int64          // instant; -1 before the first one
	total  int64
}

// take takes rows, in which no interval ends unless they are measured. Rows that
// let nothing through may be among them.
func (m *intervalQueue) take(times, costs []int64, measured bool) {
	for len(times) > 0 {
		from, rows := m.push(times, costs)
		for i := range m.points[:m.held] {
			if measured {
				m.points[i].look(&m.queue, from)
			}
		}
		times, costs = times[rows:], costs[rows:]
	}
}

// push appends rows until a chunk is full, one instant for each time. It returns
// the first instant that they are part of, and how many rows they are.
func (m *intervalQueue) push(times, costs []int64) (from int64, rows int) {
	q := &m.queue
	from = q.tail
	if times[0] == m.latest {
		from--
	}
	if !q.left() {
		if rows = m.join(times, costs); rows > 0 {
			return from, rows
		}
		m.extend(times[0])
	}
	// From the last instant on, if it is in this chunk, with room for as many
	// as there are rows.
	first := max(q.tail-1, q.firstIn(q.tail))
	to := q.run(first, q.tail+int64(len(times)))
	had := int(q.tail - first)
	n := min(len(times), len(to)-had)
	costs = costs[:n]
	k, before, total := had, m.latest, m.total
	for i, t := range times[:n] {
		total += costs[i]
		if t == before && to[k-1].time == t {
			to[k-1].total = total
			continue
		}
		before = t
		// Without a branch: in overload verdicts cannot be predicted.
		to[k] = instant{t, total}
		k += int(uint64(-costs[i]) >> 63) // 1 where the cost is above 0
	}
	if m.total = total; k > 0 {
		m.latest = to[k-1].time
	}
	q.tail = first + int64(k)
	fresh := to[had:k]
	for i := range m.needs {
		m.needs[i].add(len(fresh), func(i int) int64 { return fresh[i].time })
	}
	return from, n
}

// reason says what memory one of the needs is.
func (m *intervalQueue) reason(i int) string {
	return m.needs[i].reason(int64(unsafe.Sizeof(instant{})))
}

// join takes the first rows that add no instant, and returns how many they are.
func (m *intervalQueue) join(times, costs []int64) int {
	for i, cost := range costs {
		if cost == 0 {
			continue
		}
		if times[i] != m.latest {
			return i
		}
		m.total += cost
		m.queue.at(m.queue.tail - 1).total = m.total
	}
	return len(costs)
}

// extend makes room for an instant at t, and where there is no memory for it,
// gives up the longest intervals.
func (m *intervalQueue) extend(t int64) {
	m.drop(t)
	for !m.queue.extend() {
		m.held--
		m.drop(t)
	}
}

// drop drops the chunks that no interval that ends at t or later reaches.
func (m *intervalQueue) drop(t int64) {
	q := &m.queue
	if m.held == 0 {
		q.head = q.tail
		return
	}
	begin, base := t-m.points[m.held-1].v, int64(0)
	for q.head < q.tail {
		last := q.at(q.lastIn(q.head))
		if last.time > begin {
			break
		}
		q.head, base = q.lastIn(q.head)+1, last.total
	}
	for i := range m.points[:m.held] {
		if p := &m.points[i]; p.tail < q.head {
			p.tail, p.base = q.head, base
		}
	}
}
