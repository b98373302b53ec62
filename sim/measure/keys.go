package measure

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// keyState is what tier basic keeps of a key. With many keys every row is a
// place in memory that no cache holds, so it is half a cache line.
type keyState struct {
	at    int64 // ns; the key's last row, or unseen. Where negative: see windowMeter.moved
	level int64 // of burstMeter, as of then

	window keyCounts // in the calendar window that the last row is in
	before keyCounts // in the windows that are closed
}

// carriedTotals are what keyCounts of a key had no room for.
type carriedTotals struct{ window, before keyTotals }

// unseen is when a key without rows had its last one.
const unseen = int64(math.MinInt64)

// keyMeter reads the flow stream once for the two meters that follow each key:
// of calendar windows and of bursts.
type keyMeter struct {
	cfg     *Config
	keys    []keyState
	wide    perkey.Table[carriedTotals]
	windows *windowMeter
	burst   *burstMeter
	touched int64
}

func newKeyMeter(c *Config) *keyMeter {
	m := &keyMeter{cfg: c, keys: make([]keyState, c.Keys)}
	for i := range m.keys {
		m.keys[i].at = unseen
	}
	return m
}

func (m *keyMeter) Early(f *Flow) {
	if f.Rejected == nil {
		return
	}
	for i, key := range f.Key {
		if net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]; net != 0 {
			m.windows.wait(key, net)
		}
	}
}

// Flow cuts the block into runs of rows of one calendar window.
func (m *keyMeter) Flow(f *Flow) {
	m.burst.seen = true
	if len(m.keys) == 1 && m.sum(f) {
		return
	}
	if states := m.keys; len(states) > perkey.Many {
		m.touched = perkey.Touch(f.Key, func(key int32) int64 { return states[key].at })
	}
	w := m.cfg.Window
	for lo, n := 0, len(f.Time); lo < n; {
		window := f.Time[lo] / w
		hi := n
		if end := (window + 1) * w; f.Time[n-1] >= end {
			hi = lo + searchTime(f.Time[lo:], end)
		}
		m.add(f, lo, hi, window)
		lo = hi
	}
}

// add takes rows [lo, hi), which lie in one calendar window.
func (m *keyMeter) add(f *Flow, lo, hi int, window int64) {
	times := f.Time[lo:hi]
	n := len(times)
	keys, offered := f.Key[lo:hi][:n], f.Offered[lo:hi][:n]
	admitted, reference := f.Admitted[lo:hi][:n], f.Reference[lo:hi][:n]
	states, start, r, peak := m.keys, window*m.cfg.Window, m.burst.rate, m.burst.peak
	allFit := fit(f.Sum.Offered, f.Sum.Admitted, f.Sum.Reference)
	for i, t := range times {
		k := &states[keys[i]]
		if k.at < start {
			m.windows.turn(keys[i], window)
		}
		c := admitted[i]
		x := max(0, k.level-min(t-k.at, r.maxDrain)*r.n) + c*r.p
		peak = max(peak, x)
		k.at, k.level = t, x
		if sum := k.window.plus(offered[i], c, reference[i]); sum&tooMuch == 0 && (allFit || fit(offered[i], c, reference[i])) {
			k.window = sum
		} else {
			m.carry(keys[i], offered[i], c, reference[i])
		}
	}
	m.burst.peak = peak
	if peak > maxUnits || f.Sum.Admitted > r.maxCost && slices.Max(admitted) > r.maxCost {
		m.burst.overflow = true
	}
	if f.Rejected != nil {
		for i, rejected := range f.Rejected[lo:hi][:n] {
			if net := offered[i] - admitted[i] - rejected; net != 0 {
				m.windows.wait(keys[i], net)
			}
		}
	}
}

// sum is add for a block of the only key there is, in one calendar window: only
// the burst has to look at its rows. It reports whether the block is of that
// kind; if not, it has done nothing.
func (m *keyMeter) sum(f *Flow) bool {
	k, w, last := &m.keys[0], m.cfg.Window, f.Time[len(f.Time)-1]
	window := f.Time[0] / w
	if last >= (window+1)*w {
		return false
	}
	level, ok := m.burst.follow(k, f)
	if !ok {
		return false
	}
	if k.at < window*w {
		m.windows.turn(0, window)
	}
	k.at, k.level = last, level
	s := f.Sum
	if sum := k.window.plus(s.Offered, s.Admitted, s.Reference); sum&tooMuch == 0 && fit(s.Offered, s.Admitted, s.Reference) {
		k.window = sum
	} else {
		m.carry(0, s.Offered, s.Admitted, s.Reference)
	}
	if net := f.Sum.Offered - f.Sum.Admitted - f.Sum.Rejected; net != 0 {
		m.windows.wait(0, net)
	}
	return true
}

// carry counts cost of a key that its state has no room for.
func (m *keyMeter) carry(key int32, offered, admitted, reference int64) {
	k, wide := &m.keys[key], m.wide.At(key)
	wide.window.add(k.window.totals())
	wide.window.add(keyTotals{offered, admitted, reference})
	k.window = 0
	k.before |= isCarried
}

// shut empties a key's window, and is what was counted in it.
func (m *keyMeter) shut(key int32) keyTotals {
	k := &m.keys[key]
	t := k.window.totals()
	k.window = 0
	if k.before&isCarried != 0 {
		wide := m.wide.At(key)
		t.add(wide.window)
		wide.window = keyTotals{}
	}
	if sum := k.before.plus(t.offered, t.admitted, t.reference); sum&tooMuch == 0 && fit(t.offered, t.admitted, t.reference) {
		k.before = sum
		return t
	}
	wide := m.wide.At(key)
	wide.before.add(k.before.totals())
	wide.before.add(t)
	k.before = isCarried
	return t
}

// totals is a key's cost in the windows that are closed.
func (m *keyMeter) totals(key int32) keyTotals {
	before := m.keys[key].before
	t := before.totals()
	if before&isCarried != 0 {
		t.add(m.wide.At(key).before)
	}
	return t
}

// change has the levels of all keys that were seen become those of another
// limit. The bucket of a key that nobody has asked for is still to come.
func (m *keyMeter) change(c Change) {
	before, deeper, ok := m.burst.change(c)
	if !ok {
		return
	}
	for i := range m.keys {
		k := &m.keys[i]
		if k.at == unseen {
			continue
		}
		at := max(k.at, ^k.at)
		left := before.drained(k.level, max(c.At-at, 0))
		if left > maxUnits {
			m.burst.overflow = true
			return
		}
		k.level = max(0, left+deeper)
		m.windows.move(int32(i), max(c.At, at))
	}
}

func (m *keyMeter) Figures(Emit) {}
