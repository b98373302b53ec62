package measure

import (
	"math"
	"unsafe"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingMetrics = []catalog.Metric{
	{Name: "worst_sliding_pct", Unit: "%", Full: true, Better: -1, Formula: "max over event times of 100*(A(t-w,t]-L)/L, not below 0",
		Doc: "How far over the limit any window of the policy's length was, wherever it starts: looked at whenever something is let through inside the span, and reaching back before it. Where the limit changes, L is the largest that the window sees. Memory grows with the requests admitted in a window."},
}

// admission is cost let through for a key.
type admission struct {
	time, cost int64
	key        int32
}

// slidingMeter keeps each key's cost admitted in the last w, (t-w, t], with one
// queue for all keys: the stream is in time order, so what leaves the window
// first came first. Of a single key under one limit it is the interval w of an
// envelope, which costs less.
type slidingMeter struct {
	cfg    *Config
	one    *intervalQueue // of the only key; else nil
	queue  ring[admission]
	sums   []int64
	worst  map[int64]int64 // the largest sum under each limit
	limit  int64           // the largest that the window sees
	most   int64           // under that limit
	seen   bool
	full   bool // out of memory
	needed need
}

func newSlidingMeter(r *Recorder) Reporter {
	m := &slidingMeter{
		cfg:    &r.cfg,
		queue:  ring[admission]{budget: r.cfg.Memory / 2},
		sums:   make([]int64, r.cfg.Keys),
		limit:  r.cfg.Limit,
		worst:  map[int64]int64{r.cfg.Limit: 0},
		needed: need{span: r.cfg.Window},
	}
	if r.cfg.Keys == 1 && len(r.cfg.Changes) == 0 {
		// As many are held as the other queue would hold.
		held := r.cfg.Memory / 2 / int64(unsafe.Sizeof(admission{})) * int64(unsafe.Sizeof(instant{}))
		m.one = &intervalQueue{queue: ring[instant]{budget: held}, apart: -1, latest: -1, points: []intervalPeak{{v: r.cfg.Window}}}
	}
	return m
}

func (m *slidingMeter) Admitted(a *Admitted, measured bool) {
	m.seen = m.seen || measured
	m.needed.add(a.Time)
	if m.one != nil {
		m.one.take(a.Time, a.Cost, measured)
		m.full, m.worst[m.limit] = m.one.full, m.one.points[0].most
		return
	}
	for lo, n := 0, len(a.Time); lo < n && !m.full; {
		hi := n
		if len(m.cfg.Changes) > 0 {
			var until int64
			m.limit, until = m.cfg.largestLimit(a.Time[lo], m.cfg.Window)
			m.most = m.worst[m.limit]
			hi = lo + searchTime(a.Time[lo:], until)
		}
		m.leave(a.Time[lo])
		if hi = lo + m.queue.room(hi-lo); lo == hi {
			m.full = true
			m.queue.buf = nil
			return
		}
		m.slide(a.Time[lo:hi], a.Cost[lo:hi], a.Key[lo:hi], measured)
		lo = hi
	}
}

// leave drops what is no longer in (t-w, t].
func (m *slidingMeter) leave(t int64) {
	q, sums, from := &m.queue, m.sums, t-m.cfg.Window
	for q.head < q.tail && q.at(q.head).time <= from {
		gone := 0
		for _, a := range q.run(q.head, q.tail) {
			if a.time > from {
				break
			}
			sums[a.key] -= a.cost
			gone++
		}
		q.head += int64(gone)
	}
}

// slide takes rows for which there is room. What leaves between the first one
// and the last is still in the sums: it is dropped only when it matters.
func (m *slidingMeter) slide(times, costs []int64, keys []int32, measured bool) {
	q := &m.queue
	buf, mask, tail := q.buf, int64(len(q.buf)-1), q.tail
	most := m.most
	if !measured {
		most = math.MaxInt64
	}
	costs, keys = costs[:len(times)], keys[:len(times)]
	last, sum := int32(0), m.sums[0] // in registers while the key stays the same
	for i, t := range times {
		cost, key := costs[i], keys[i]
		buf[tail&mask] = admission{t, cost, key}
		tail++
		if key != last {
			m.sums[last] = sum
			last, sum = key, m.sums[key]
		}
		if sum += cost; sum > most {
			m.sums[last], q.tail = sum, tail
			m.leave(t)
			sum = m.sums[last]
			most = max(most, sum)
		}
	}
	m.sums[last], q.tail = sum, tail
	if measured && most > m.most {
		m.most = most
		m.worst[m.limit] = most
	}
}

func (m *slidingMeter) Figures(emit Emit) {
	const name = "worst_sliding_pct"
	switch fine := m.cfg.finer(m.cfg.Window); {
	case fine != "":
		emit(name, NoData(fine))
	case !m.seen:
		emit(name, NoData("no traffic"))
	case m.full:
		emit(name, NoData(m.needed.reason(int64(unsafe.Sizeof(admission{})))))
	default:
		largest := 0.0
		for limit, sum := range m.worst {
			largest = max(largest, ratio(100, max(0, sum-limit), limit))
		}
		emit(name, Number(largest))
	}
}
