package conformance

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// window is a reference model of the two window counters. A window is known by its
// name: its number on the calendar, or for a window that opens at a hit its opening.
// Mutants replace its functions.
type window struct {
	limit, width  int64
	name          int64
	count         int64
	calls, opened int
	latest        int64                                    // time of a call
	begins        func(w *window, now int64) (int64, bool) // the window of now, and whether it is a new one
	fits          func(w *window, cost int64) bool
	rejects       func(w *window, before window, cost int64)
	idle          func(w *window, now int64) // a call of cost 0
}

func (w *window) take(now, cost int64) bool {
	w.calls++
	defer func() { w.latest = max(w.latest, now) }()
	if cost == 0 {
		w.idle(w, now)
		return w.fits(w, 0)
	}
	before := *w
	w.open(now)
	if w.fits(w, cost) {
		counted(w, cost)
		return true
	}
	w.rejects(w, before, cost)
	return false
}

// open opens the window of now if it is a new one.
func (w *window) open(now int64) {
	if name, isNew := w.begins(w, now); isNew {
		w.name, w.count = name, 0
		w.opened++
	}
}

func counted(w *window, cost int64) { w.count = integers.Add(w.count, cost) }

func onCalendar(w *window, now int64) (int64, bool) {
	name := now / w.width
	return name, name > w.name
}

// fixedWith returns a fixed window with a change.
func fixedWith(change func(w *window)) func(p Policy) oneKey {
	return func(p Policy) oneKey {
		w := &window{limit: p.Count, width: p.Window, begins: onCalendar,
			fits:    func(w *window, cost int64) bool { return cost <= w.limit-w.count || cost == 0 },
			rejects: func(*window, window, int64) {},
			idle:    (*window).open}
		change(w)
		return w.take
	}
}

func opensAtHit(w *window, now int64) (int64, bool) {
	return now, w.opened == 0 || now >= w.name+w.width
}

// firstHitWith returns a window that opens at the first hit, with a change.
func firstHitWith(change func(w *window)) func(p Policy) oneKey {
	return fixedWith(func(w *window) {
		w.begins = opensAtHit
		w.idle = func(*window, int64) {}
		w.rejects = func(w *window, _ window, cost int64) { counted(w, cost) }
		change(w)
	})
}

// inWindows are mistakes that both counters can make.
func inWindows(with func(change func(w *window)) func(p Policy) oneKey) []mutant {
	begins := func(change func(begins func(w *window, now int64) (int64, bool)) func(w *window, now int64) (int64, bool)) func(p Policy) oneKey {
		return with(func(w *window) { w.begins = change(w.begins) })
	}
	return []mutant{
		{name: "admits one more in the first window", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool {
				extra := int64(0)
				if w.opened <= 1 && w.name == 0 {
					extra = 1
				}
				return cost <= w.limit-w.count+extra || cost == 0
			}
		})},
		{name: "admits one more", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return w.count < w.limit && cost <= w.limit-w.count+1 || cost == 0 }
		})},
		{name: "admits one less", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return cost < w.limit-w.count || cost == 0 }
		})},
		{name: "admits any cost while below the limit", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return w.count < w.limit || cost == 0 }
		})},
		{name: "clamps the cost to the limit", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return min(cost, w.limit) <= w.limit-w.count }
		})},
		{name: "overflows when it adds the cost", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool {
				return cost == 0 || w.count+cost <= w.limit
			}
		})},
		{name: "counts in a float32", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool {
				return float32(w.count)+float32(cost) <= float32(w.limit) || cost == 0
			}
		})},
		{name: "counts in 32 bits", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return int64(int32(w.count))+cost <= w.limit || cost == 0 }
		})},
		{name: "rejects cost 0 at the limit", key: with(func(w *window) {
			w.fits = func(w *window, cost int64) bool { return cost <= w.limit-w.count && (cost > 0 || w.count < w.limit) }
		})},
		{name: "begins anew when the clock is set back", key: begins(func(of func(*window, int64) (int64, bool)) func(*window, int64) (int64, bool) {
			return func(w *window, now int64) (int64, bool) {
				if now < w.latest {
					return of(&window{width: w.width, name: -1}, now)
				}
				return of(w, now)
			}
		})},
		{name: "forgets in an idle time of an hour", key: begins(func(of func(*window, int64) (int64, bool)) func(*window, int64) (int64, bool) {
			return func(w *window, now int64) (int64, bool) {
				name, isNew := of(w, now)
				return name, isNew || now-w.latest >= hour
			}
		})},
	}
}

var fixedMutants = []mutant{
	{name: "opens a window at the first use", key: fixedWith(func(w *window) { w.begins = opensAtHit })},
	{name: "ends a window 1 ns late", key: fixedWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) { return onCalendar(w, max(now-1, 0)) }
	})},
	{name: "ends a window 1 ns early", key: fixedWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) { return onCalendar(w, now+1) }
	})},
	{name: "stays full after a rejected call", key: fixedWith(func(w *window) {
		w.rejects = func(w *window, _ window, _ int64) { w.count = w.limit }
	})},
	{name: "counts rejected calls", key: fixedWith(func(w *window) {
		w.rejects = func(w *window, _ window, cost int64) { counted(w, cost) }
	})},
	{name: "does not open a window after a gap", key: fixedWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) {
			name, isNew := onCalendar(w, now)
			return name, isNew && (w.calls == 1 || now-w.latest < 100*w.width)
		}
	})},
	{name: "takes window 0 for none", key: fixedWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) { return now / w.width, now/w.width > w.name || now == 0 }
	})},
	{name: "rounds the window to milliseconds", key: fixedWith(func(w *window) { w.width = max(w.width/1e6, 1) * 1e6 })},
	{name: "numbers windows by 8 bits", key: fixedWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) {
			name, isNew := onCalendar(w, now)
			return name, isNew && (name-w.name)%250 != 0
		}
	})},
}

var firstHitMutants = []mutant{
	{name: "begins windows on the calendar", key: firstHitWith(func(w *window) { w.begins = onCalendar })},
	{name: "extends the window at each hit", key: firstHitWith(func(w *window) {
		w.begins = func(w *window, now int64) (int64, bool) { return now, w.opened == 0 || now >= w.latest+w.width }
	})},
	{name: "ends a window 1 ns late", key: firstHitWith(func(w *window) { w.width++ })},
	{name: "ends a window 1 ns early", key: firstHitWith(func(w *window) { w.width-- })},
	{name: "does not count rejected calls", key: firstHitWith(func(w *window) { w.rejects = func(*window, window, int64) {} })},
	{name: "opens a window at cost 0", key: firstHitWith(func(w *window) { w.idle = (*window).open })},
	{name: "opens no window at a cost above the limit", key: firstHitWith(func(w *window) {
		w.rejects = func(w *window, before window, cost int64) {
			if counted(w, cost); cost > w.limit {
				*w = before
			}
		}
	})},
	{name: "expires in whole milliseconds", key: firstHitWith(func(w *window) { w.width = integers.CeilDiv(w.width, 1e6) * 1e6 })},
	{name: "expires in whole seconds", key: firstHitWith(func(w *window) { w.width = integers.CeilDiv(w.width, second) * second })},
}

func TestMutantsOfTheFixedWindowAreFound(t *testing.T) {
	killAll(t, "fixed-window", fixedWith(func(*window) {}), append(inWindows(fixedWith), fixedMutants...))
}

func TestMutantsOfTheFirstHitWindowAreFound(t *testing.T) {
	killAll(t, "first-hit-window", firstHitWith(func(*window) {}), append(inWindows(firstHitWith), firstHitMutants...))
}
