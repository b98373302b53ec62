package measure

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// keyState is the state of one key in the basic metric set. With many keys every row is
// a cache miss, so it is half a cache line.
type keyState struct {
	at  int64 // ns; time of the key's last row, or unseen; if negative, see windowMeter.moved
	all int64 // levels.all at that time; if unseen, see keyMeter.early

	window keyCounts // in the calendar window of the last row, and isApart
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
	apart   []lowerLevels // by key; nil until a key needs them
	touched int64

	current int64 // calendar window of the last rows
	entered int   // number of keys with rows in it

	early []int64 // times of the levels of keys without rows in the span, or unseen; nil if no levels are from before the span
	begun bool    // the span has begun
}

func newKeyMeter(c *Config) *keyMeter {
	m := &keyMeter{cfg: c, keys: make([]keyState, c.Keys)}
	for i := range m.keys {
		m.keys[i].at = unseen
	}
	return m
}

// Flow splits the block into runs of rows in one calendar window. Of early rows
// only the waiting cost and the levels count.
func (m *keyMeter) Flow(f *Flow) {
	if f.early {
		m.wait(f, 0, len(f.Key))
	} else {
		m.begin()
		m.burst.seen = true
		if len(m.keys) == 1 && m.sum(f) {
			return
		}
		if states := m.keys; len(states) > perkey.Many {
			m.touched = perkey.Touch(f.Key, func(key int32) int64 { return states[key].at })
		}
	}
	w := m.cfg.Window
	for lo, n := 0, len(f.Time); lo < n; {
		window := f.Time[lo] / w
		hi := endBefore(f.Time, lo, (window+1)*w)
		if !f.early {
			m.add(f, lo, hi, window)
			m.windows.refuse(f, lo, hi, window)
		} else if window >= m.cfg.Start/w-1 {
			m.lookBack(f, lo, hi)
		}
		lo = hi
	}
}

// add processes rows [lo, hi), which are in one calendar window.
func (m *keyMeter) add(f *Flow, lo, hi int, window int64) {
	keys, admitted := f.Key[lo:hi], f.Admitted[lo:hi]
	if window >= m.burst.next {
		m.burst.enter(window)
	}
	m.enter(keys, window)
	m.raise(keys, f.Time[lo:hi], admitted)
	m.count(keys, f.Offered[lo:hi], admitted, f.Reference[lo:hi], fit(f.Sum.Offered, f.Sum.Admitted, f.Sum.Reference))
	if most := m.burst.rate.maxCost; f.Sum.Admitted > most && slices.Max(admitted) > most {
		m.burst.fail()
	}
	m.wait(f, lo, hi)
}

// enter brings keys to a calendar window. Often all keys are there soon.
func (m *keyMeter) enter(keys []int32, window int64) {
	if window != m.current {
		m.current, m.entered = window, 0
	}
	if m.entered == len(m.keys) {
		return
	}
	states, start := m.keys, window*m.cfg.Window
	for _, key := range keys {
		if states[key].at < start {
			m.turn(key, window)
			m.entered++
		}
	}
}

// count adds the costs of rows to the counts of their windows. allFit states that all
// costs fit keyCounts.
func (m *keyMeter) count(keys []int32, offered, admitted, reference []int64, allFit bool) {
	for len(keys) > 0 {
		n := countFitting(m.keys, keys, offered, admitted, reference, allFit)
		if n < len(keys) {
			m.carry(keys[n], offered[n], admitted[n], reference[n])
			n++
		}
		keys, offered, admitted, reference = keys[n:], offered[n:], admitted[n:], reference[n:]
	}
}

// countFitting counts rows up to the first one that does not fit, and returns their
// number. The loop calls nothing and is not inlined, so that it fits registers.
//
//go:noinline
func countFitting(states []keyState, keys []int32, offered, admitted, reference []int64, allFit bool) int {
	n := len(keys)
	offered, admitted, reference = offered[:n], admitted[:n], reference[:n]
	for i, key := range keys {
		o, a, r := offered[i], admitted[i], reference[i]
		sum := states[key].window.plus(o, a, r)
		if sum&tooMuch != 0 || !allFit && !fit(o, a, r) {
			return i
		}
		states[key].window = sum
	}
	return n
}

// lookBack updates the levels by rows [lo, hi), which are before the span and in
// one calendar window.
func (m *keyMeter) lookBack(f *Flow, lo, hi int) {
	if m.early == nil {
		m.early = slices.Repeat([]int64{unseen}, len(m.keys))
	}
	for i, t := range f.Time[lo:hi] {
		key, cost := f.Key[lo+i], f.Admitted[lo+i]
		k := &m.keys[key]
		m.advance(key, t)
		if cost > m.burst.rate.maxCost || k.all > maxUnits {
			m.burst.fail()
			return
		}
		k.all += cost * m.burst.rate.p
		m.early[key] = t
	}
}

// timeOf returns the time of a key's levels, or unseen.
func (m *keyMeter) timeOf(key int32) int64 {
	at := m.keys[key].at
	if at == unseen && m.early != nil {
		return m.early[key]
	}
	if at == unseen {
		return unseen
	}
	return max(at, ^at)
}

// advance brings a key's levels to time t.
func (m *keyMeter) advance(key int32, t int64) {
	if at := m.timeOf(key); at != unseen && t > at {
		l, w := m.levels(key), m.cfg.Window
		l.turn(t/w - at/w)
		l.drain(m.burst.rate, t-at)
		m.setLevels(key, l)
	}
}

// begin takes in the levels with which the span begins.
func (m *keyMeter) begin() {
	if m.begun {
		return
	}
	m.begun = true
	for key, at := range m.early {
		if at != unseen {
			m.advance(int32(key), m.cfg.Start)
			m.early[key] = m.cfg.Start
			m.burst.raise(m.levels(int32(key)))
		}
	}
}

// turn begins a calendar window of a key, and brings its levels to the begin.
func (m *keyMeter) turn(key int32, window int64) {
	at, start := m.timeOf(key), window*m.cfg.Window
	m.windows.turn(key, window)
	if at == unseen {
		return
	}
	k := &m.keys[key]
	if drained := max(0, start-at); m.burst.rate.drained(k.all, drained) == 0 { // no level is above all
		k.all = 0
		k.window &^= isApart
	} else {
		l := m.levels(key)
		l.turn(window - at/m.cfg.Window)
		l.drain(m.burst.rate, drained)
		m.setLevels(key, l)
	}
	k.at = max(at, start)
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
	if window >= m.burst.next {
		m.burst.enter(window)
	}
	levels, ok := m.burst.follow(k.at, m.levels(0), window, f)
	if !ok {
		return false
	}
	if k.at < window*w {
		m.windows.turn(0, window)
	}
	k.at = last
	m.setLevels(0, levels)
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
	k.window &= isApart
	k.before |= isCarried
}

// shut empties a key's window and returns the cost that was counted in it.
func (m *keyMeter) shut(key int32) keyTotals {
	k := &m.keys[key]
	t := k.window.totals()
	k.window &= isApart
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
func (m *keyMeter) change(c counting.Change) {
	if c.At > m.cfg.Start {
		m.begin()
	}
	for key := range int32(len(m.keys)) {
		m.advance(key, c.At)
	}
	deeper, ok := m.burst.change(c)
	if !ok {
		return
	}
	for i := range m.keys {
		key, k := int32(i), &m.keys[i]
		at := m.timeOf(key)
		if at == unseen {
			continue
		}
		l := m.levels(key)
		l.deepen(deeper)
		if c.At%m.cfg.Window == 0 { // an interval that begins right before c began in the window before
			l.fresh = 0
		}
		m.burst.limit(l)
		m.setLevels(key, l)
		if k.at == unseen {
			m.early[key] = max(c.At, at)
		} else {
			m.windows.move(key, max(c.At, at))
		}
	}
}
