package measure

// intervalQueue finds the most that was let through in any interval of each of
// some lengths, with one queue of instants for all of them.
type intervalQueue struct {
	queue  ring[instant]
	points []intervalPeak // by their length, the longest last
	apart  int64          // -1: what is let through at one instant are several; else 0
	latest int64          // instant; -1 before the first one, and where they are apart
	total  int64
	full   bool // out of memory
}

// take takes rows, in which no interval ends unless they are measured.
func (m *intervalQueue) take(times, costs []int64, measured bool) {
	for len(times) > 0 && !m.full {
		n := m.room(times)
		if n == 0 {
			m.full = true
			m.queue.buf = nil
			return
		}
		from := m.push(times[:n], costs[:n])
		for i := range m.points {
			if measured {
				m.points[i].look(&m.queue, from)
			}
		}
		times, costs = times[n:], costs[n:]
	}
}

// room is how many of the rows there is room for, once what no interval reaches
// any more is gone, if need be.
func (m *intervalQueue) room(times []int64) int {
	q := &m.queue
	if q.tail-q.head+int64(len(times)) > int64(len(q.buf)) && q.tail > q.head {
		for i := range m.points {
			m.points[i].move(q, times[0], q.tail-1)
		}
		q.head = m.points[len(m.points)-1].tail // the longest v keeps the most
	}
	n := q.room(len(times))
	if n == 0 && times[0] == m.latest {
		return 1 // joins the last instant
	}
	return n
}

// push appends rows, one instant for each time, and returns the first instant
// that they are part of.
func (m *intervalQueue) push(times, costs []int64) int64 {
	buf, mask := m.queue.buf, int64(len(m.queue.buf)-1)
	latest, total, last, apart := m.latest, m.total, m.queue.tail-1, m.apart
	from := last + 1
	if times[0] == latest {
		from = last
	}
	costs = costs[:len(times)]
	for i, t := range times {
		if t != latest {
			latest = t | apart
			last++
		}
		total += costs[i]
		buf[last&mask] = instant{t, total}
	}
	m.latest, m.total, m.queue.tail = latest, total, last+1
	return from
}
