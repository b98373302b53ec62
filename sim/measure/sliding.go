package measure

import (
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
// first came first.
type slidingMeter struct {
	cfg    *Config
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
	return &slidingMeter{
		cfg:    &r.cfg,
		queue:  ring[admission]{budget: r.cfg.Memory / 2},
		sums:   make([]int64, r.cfg.Keys),
		limit:  r.cfg.Limit,
		worst:  map[int64]int64{r.cfg.Limit: 0},
		needed: need{span: r.cfg.Window},
	}
}

func (m *slidingMeter) Early(f *Flow) { m.slide(f, false) }

func (m *slidingMeter) Flow(f *Flow) {
	m.seen = true
	m.slide(f, true)
}

func (m *slidingMeter) slide(f *Flow, measured bool) {
	for i, cost := range f.Admitted {
		if cost == 0 {
			continue
		}
		t, key := f.Time[i], f.Key[i]
		if len(m.cfg.Changes) > 0 {
			m.limit = m.cfg.largestLimit(t-m.cfg.Window, t)
			m.most = m.worst[m.limit]
		}
		m.needed.add(t)
		if m.full {
			continue
		}
		for q := &m.queue; q.head < q.tail && q.at(q.head).time <= t-m.cfg.Window; q.head++ {
			gone := q.at(q.head)
			m.sums[gone.key] -= gone.cost
		}
		if !m.queue.push(admission{t, cost, key}) {
			m.full = true
			m.queue.buf = nil
			continue
		}
		m.sums[key] += cost
		if measured && m.sums[key] > m.most {
			m.most = m.sums[key]
			m.worst[m.limit] = m.most
		}
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
