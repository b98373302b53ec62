package measure

import (
	"cmp"
	"math"
	"unsafe"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingMetrics = []catalog.Metric{
	{Name: "worst_sliding_pct", Unit: "%", Better: -1, Formula: "max over times of admission of 100*(A(t-w,t]-L)/L, not below 0",
		Doc: "Largest excess over the limit of any window of the policy's length, wherever it begins. It is evaluated whenever cost is admitted inside the span and reaches back before the span. If the limit changes, L is the largest limit within the window. Memory grows with the number of requests admitted in a window."},
}

// admission is admitted cost of a key.
type admission struct {
	time, cost int64
	key        int32
}

// slidingMeter computes each key's cost admitted in (t-w, t]. One queue serves
// all keys because rows are in time order.
type slidingMeter struct {
	cfg    *Config
	queue  ring[admission]
	sums   []int64
	limit  int64 // the largest limit within the window
	most   int64 // the largest sum under that limit in the part of the span
	part   spanPart
	worst  [spanParts]map[int64]int64 // the largest sum under each limit
	seen   bool
	full   bool // memory is used up
	needed memoryNeed

	touched int64 // keeps the result of perkey.Touch alive
}

// slidingSums is a meter of sliding windows.
type slidingSums interface {
	Reporter
	// largest returns the largest sum under each limit, unless none states why
	// there is none.
	largest() (sums map[int64]int64, none string)
	// half returns those of one half of the span.
	half(part int) map[int64]int64
}

func newSlidingMeter(r *Recorder) Reporter {
	if r.cfg.Keys == 1 && len(r.cfg.Changes) == 0 && r.cfg.Full {
		m := newSlidingOfOne(&r.cfg)
		r.sliding = m
		return m
	}
	m := &slidingMeter{
		cfg:    &r.cfg,
		queue:  newRing[admission](r.cfg.Memory / 2),
		sums:   make([]int64, r.cfg.Keys),
		limit:  r.cfg.Limit,
		part:   newSpanPart(&r.cfg),
		needed: memoryNeed{span: r.cfg.Window},
	}
	for i := range m.worst {
		m.worst[i] = map[int64]int64{r.cfg.Limit: 0}
	}
	r.sliding = m
	return m
}

func (m *slidingMeter) Flow(f *Flow) {
	m.seen = m.seen || !f.early
	times, costs, keys := f.admitted()
	if sums := m.sums; len(sums) > perkey.Many {
		m.touched = perkey.Touch(keys, func(key int32) int64 { return sums[key] })
	}
	m.needed.add(len(times), func(i int) int64 { return times[i] })
	for lo, n := 0, len(times); lo < n && !m.full; {
		until := m.part.at(times[lo])
		if len(m.cfg.Changes) > 0 {
			var same int64
			m.limit, same = m.cfg.largestLimit(times[lo], m.cfg.Window)
			until = min(until, same)
		}
		m.most = m.worst[m.part.part][m.limit]
		hi := endBefore(times, lo, until)
		m.leave(times[lo])
		if !m.queue.left() && !m.queue.extend() {
			m.full = true
			m.queue = ring[admission]{}
			return
		}
		room := m.queue.run(m.queue.tail, m.queue.tail+int64(hi-lo))
		hi = lo + len(room)
		m.slide(times[lo:hi], costs[lo:hi], keys[lo:hi], room, !f.early)
		lo = hi
	}
}

// leave removes admissions outside (t-w, t].
func (m *slidingMeter) leave(t int64) {
	q, sums, from := &m.queue, m.sums, t-m.cfg.Window
	for q.head < q.tail && q.at(q.head).time <= from {
		run, gone := q.run(q.head, q.tail), 0
		for ; gone < len(run) && run[gone].time <= from; gone++ {
			sums[run[gone].key] -= run[gone].cost
		}
		q.head += int64(gone)
	}
}

// slide adds rows for which there is room. Rows that leave the window meanwhile
// stay in the sums and are removed only if that matters.
func (m *slidingMeter) slide(times, costs []int64, keys []int32, room []admission, measured bool) {
	q := &m.queue
	tail, most := q.tail, m.most
	if !measured {
		most = math.MaxInt64
	}
	costs, keys, room = costs[:len(times)], keys[:len(times)], room[:len(times)]
	last, sum := int32(0), m.sums[0] // in registers while the key stays the same
	for i, t := range times {
		cost, key := costs[i], keys[i]
		room[i] = admission{t, cost, key}
		if key != last {
			m.sums[last] = sum
			last, sum = key, m.sums[key]
		}
		if sum += cost; sum > most {
			m.sums[last], q.tail = sum, tail+int64(i)+1
			m.leave(t)
			sum = m.sums[last]
			most = max(most, sum)
		}
	}
	m.sums[last], q.tail = sum, tail+int64(len(times))
	if measured && most > m.most {
		m.most = most
		m.worst[m.part.part][m.limit] = most
	}
}

func (m *slidingMeter) largest() (map[int64]int64, string) {
	if m.full {
		return nil, m.needed.reason(int64(unsafe.Sizeof(admission{})))
	}
	all := map[int64]int64{}
	for _, sums := range m.worst {
		for limit, sum := range sums {
			all[limit] = max(all[limit], sum)
		}
	}
	return all, ""
}

func (m *slidingMeter) half(part int) map[int64]int64 { return m.worst[part] }

func (m *slidingMeter) Figures(emit Emit) string { return slidingFigure(m.cfg, m.seen, m, emit) }

func slidingFigure(c *Config, seen bool, m slidingSums, emit Emit) string {
	sums, none := m.largest()
	if !seen {
		none = noTraffic
	}
	if none = cmp.Or(c.tooFineFor(c.Window), none); none != "" {
		return none
	}
	most := 0.0
	for limit, sum := range sums {
		most = max(most, ratio(100, max(0, sum-limit), limit))
	}
	emit("worst_sliding_pct", Number(most))
	return ""
}
