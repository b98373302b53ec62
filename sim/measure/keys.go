package measure

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// keyState is the state of one key in the basic metric set. With many keys
// every row is a cache miss, so it is half a cache line.
type keyState struct {
	at    int64 // ns; time of the key's last row, or unseen; if negative, see windowMeter.moved
	level int64 // of burstMeter, at that time

	window keyCounts // in the calendar window of the last row
	before keyCounts // in the closed windows
}

// carriedTotals holds what did not fit the keyCounts of a key.
type carriedTotals struct{ window, before keyTotals }

// unseen is the time of the last row of a key without rows.
const unseen = int64(math.MinInt64)

// keyMeter reads the flow once for the two meters that follow each key, of
// calendar windows and of bursts.
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

// Flow splits the block into runs of rows in one calendar window. Only the
// waiting cost of early rows counts.
func (m *keyMeter) Flow(f *Flow) {
	if f.early {
		m.wait(f, 0, len(f.Key))
		return
	}
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
		hi := endBefore(f.Time, lo, (window+1)*w)
		m.add(f, lo, hi, window)
		m.windows.refuse(f, lo, hi, window)
		lo = hi
	}
}

// add processes rows [lo, hi), which are in one calendar window.
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
	m.wait(f, lo, hi)
}

// wait updates the waiting cost by rows [lo, hi).
func (m *keyMeter) wait(f *Flow, lo, hi int) {
	for key, net := range f.waits(f.Key, lo, hi) {
		m.windows.backlogs.add(len(m.keys), key, net)
	}
}

// sum processes a block of a trial with one key, if it is in one calendar
// window. Only the burst then needs the single rows. If the block is of another
// kind, sum does nothing and returns false.
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
		m.windows.backlogs.add(1, 0, net)
	}
	m.windows.refuse(f, 0, len(f.Time), window)
	return true
}

// carry counts cost of a key that does not fit its state.
func (m *keyMeter) carry(key int32, offered, admitted, reference int64) {
	k, wide := &m.keys[key], m.wide.At(key)
	wide.window.add(k.window.totals())
	wide.window.add(keyTotals{offered, admitted, reference})
	k.window = 0
	k.before |= isCarried
}

// shut empties a key's window and returns the cost that was counted in it.
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

// totals returns a key's cost in the closed windows.
func (m *keyMeter) totals(key int32) keyTotals {
	before := m.keys[key].before
	t := before.totals()
	if before&isCarried != 0 {
		t.add(m.wide.At(key).before)
	}
	return t
}

// change converts the levels of all keys with rows to another limit. A key
// without rows has no bucket yet.
func (m *keyMeter) change(c counter.Change) {
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
