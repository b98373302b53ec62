package measure

// intervalQueue finds the largest cost admitted in any interval of one length.
type intervalQueue struct {
	queue  ring[instant]
	peak   intervalPeak
	need   memoryNeed
	full   bool  // memory is used up
	latest int64 // time of the last instant, -1 before the first
	total  int64
}

// newIntervalQueue returns a queue for intervals of v ns within a budget of bytes.
func newIntervalQueue(v, budget int64) intervalQueue {
	return intervalQueue{queue: newRing[instant](budget), peak: intervalPeak{v: v}, need: memoryNeed{span: v}, latest: -1}
}

// take adds rows, including rows that admit nothing. Intervals end at these
// rows only if measured is true.
func (m *intervalQueue) take(times, costs []int64, measured bool) {
	for len(times) > 0 {
		from, rows := m.push(times, costs)
		if measured && !m.full {
			m.peak.look(&m.queue, from)
		}
		times, costs = times[rows:], costs[rows:]
	}
}

// push appends rows until a chunk is full; rows of equal time form one instant.
// It returns the first instant that they belong to and the number of rows.
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
	// The last instant is included if it is in this chunk.
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
		// No branch: verdicts cannot be predicted in overload.
		to[k] = instant{t, total}
		k += int(uint64(-costs[i]) >> 63) // 1 if the cost is above 0
	}
	if m.total = total; k > 0 {
		m.latest = to[k-1].time
	}
	q.tail = first + int64(k)
	fresh := to[had:k]
	m.need.add(len(fresh), func(i int) int64 { return fresh[i].time })
	return from, n
}

// join adds the first rows that belong to the last instant, and returns their
// number.
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

// extend makes room for an instant at t. If memory is short, it gives up the
// intervals.
func (m *intervalQueue) extend(t int64) {
	m.drop(t)
	for !m.queue.extend() {
		m.full = true
		m.drop(t)
	}
}

// drop removes the chunks that no interval with an end at t or later reaches.
func (m *intervalQueue) drop(t int64) {
	q := &m.queue
	if m.full {
		q.head = q.tail
		return
	}
	begin, base := t-m.peak.v, int64(0)
	for q.head < q.tail {
		last := q.at(q.lastIn(q.head))
		if last.time > begin {
			break
		}
		q.head, base = q.lastIn(q.head)+1, last.total
	}
	if p := &m.peak; p.tail < q.head {
		p.tail, p.base = q.head, base
	}
}
