package measure

// levels holds the largest values of A(s,t] - r(t-s) of a key for one t, in 1/p
// of a request, so that they are exact. They differ in the starts s. Each
// follows Lindley's recursion x <- max(0, x - r*dt) + c over the admitted cost
// c, restarted where its first s lies.
type levels struct {
	all   int64 // any s, from one window before the span on
	short int64 // s in the calendar window of t or in the one before: not above all
	fresh int64 // s in the calendar window of t: not above short
}

// turn goes on to a calendar window, some windows later.
func (l *levels) turn(windows int64) {
	if windows > 1 {
		l.fresh = 0
	}
	if windows > 0 {
		l.short, l.fresh = l.fresh, 0
	}
}

// drain lets time pass, dt >= 0 ns.
func (l *levels) drain(r rate, dt int64) {
	l.all, l.short, l.fresh = r.drained(l.all, dt), r.drained(l.short, dt), r.drained(l.fresh, dt)
}

// deepen adds the growth of the bucket's depth at a change of the limit.
func (l *levels) deepen(deeper int64) {
	l.all, l.short, l.fresh = max(0, l.all+deeper), max(0, l.short+deeper), max(0, l.fresh+deeper)
}

// lowerLevels holds how far short and fresh are below all: cost that is admitted raises
// all three alike, and as long as all drains, they drain alike until they reach 0.
type lowerLevels struct{ short, fresh int64 }

// isApart states in keyState.window that the lower levels of a key differ from all, and
// are in keyMeter.apart. They do if the key has not been idle since its window began.
const isApart = keyCounts(1 << 63)

// levels returns the levels of a key.
func (m *keyMeter) levels(key int32) levels {
	k := &m.keys[key]
	if k.window&isApart == 0 {
		return levels{k.all, k.all, k.all}
	}
	below := m.apart[key]
	return levels{k.all, k.all - below.short, k.all - below.fresh}
}

// setLevels sets the levels of a key. If the level of any intervals does not fit, it is
// not known for the rest of the trial, and stays at the next lower one.
func (m *keyMeter) setLevels(key int32, l levels) {
	if m.burst.all.overflow {
		l.all = l.short
	}
	k := &m.keys[key]
	k.all = l.all
	if l.fresh == l.all {
		k.window &^= isApart
		return
	}
	if m.apart == nil {
		m.apart = make([]lowerLevels, len(m.keys))
	}
	k.window |= isApart
	m.apart[key] = lowerLevels{l.all - l.short, l.all - l.fresh}
}

// raise updates the levels by rows in one calendar window, whose keys are in it.
func (m *keyMeter) raise(keys []int32, times, admitted []int64) {
	for len(keys) > 0 {
		n := m.burst.raiseTo(m.keys, m.apart, keys, times, admitted)
		if n < len(keys) {
			m.peak(keys[n])
			n++
		}
		keys, times, admitted = keys[n:], times[n:], admitted[n:]
	}
}

// raiseTo updates levels up to the first row that raises one above the largest levels so
// far, and returns the index of that row, or the number of rows. Since the lower levels
// are kept relative to the highest one, few rows change them. The loop calls nothing and
// reads what is the same for all rows where it is, so that what changes fits registers.
func (m *burstMeter) raiseTo(states []keyState, apart []lowerLevels, keys []int32, times, admitted []int64) int {
	times, admitted = times[:len(keys)], admitted[:len(keys)]
	for i, key := range keys {
		k, t := &states[key], times[i]
		left, shorter := k.all-min(t-k.at, m.rate.maxDrain)*m.rate.n, int64(0)
		if k.window&isApart != 0 {
			below := &apart[key]
			if left < below.fresh {
				below.short, below.fresh = max(0, min(below.short, left)), left
				if left <= 0 {
					k.window &^= isApart
				}
			}
			shorter = below.short
		}
		level := max(0, left) + admitted[i]*m.rate.p
		k.at, k.all = t, level
		if level > m.all.level || level-shorter > m.short.level {
			return i
		}
	}
	return len(keys)
}

// peak takes in the levels of a key that may be the largest so far.
func (m *keyMeter) peak(key int32) {
	l := m.levels(key)
	if m.burst.raise(l); m.burst.all.overflow {
		m.setLevels(key, l)
	}
}
