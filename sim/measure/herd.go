package measure

// herd finds the most retries that arrive in any (t - herdSpan, t]. It holds those of the
// last herdSpan.
type herd struct {
	times []int64 // instants, and how many retries arrive at each
	count []int64
	first int // the oldest that is held
	held  int64
	most  int64
}

func (h *herd) add(now int64) {
	for h.first < len(h.times) && h.times[h.first] <= now-herdSpan {
		h.held -= h.count[h.first]
		h.first++
	}
	if h.first > 64 && h.first > len(h.times)/2 {
		n := copy(h.times, h.times[h.first:])
		copy(h.count, h.count[h.first:])
		h.times, h.count, h.first = h.times[:n], h.count[:n], 0
	}
	if last := len(h.times) - 1; last >= h.first && h.times[last] == now {
		h.count[last]++
	} else {
		h.times, h.count = append(h.times, now), append(h.count, 1)
	}
	h.held++
	h.most = max(h.most, h.held)
}

// idleWindows measures what a limit leaves unused in its calendar windows in which a job
// waits at every instant.
type idleWindows struct {
	window, limit int64
	start         int64 // of the present window
	admitted      int64 // in it
	waits         bool  // a job waits now
	since         int64 // when a job began to wait, if one waits
	stopped       int64 // when none did any more, else
	windows       int64 // in which one waited all the time
	unused        int64 // cost, in them
}

// waiting sets the number of jobs that wait from now on. A gap without length is none.
func (w *idleWindows) waiting(now, n int64) {
	w.turn(now)
	if waits := n > 0; waits != w.waits {
		if w.waits = waits; !waits {
			w.stopped = now
		} else if w.stopped != now || now == 0 {
			w.since = now
		}
	}
}

func (w *idleWindows) admit(now, cost int64) {
	if w.turn(now); now >= w.start {
		w.admitted += cost
	}
}

// turn closes the windows that end at or before now.
func (w *idleWindows) turn(now int64) {
	for w.window > 0 && now-w.start >= w.window {
		end := w.start + w.window
		if w.waits && w.since <= w.start {
			w.windows++
			w.unused += max(0, w.limit-w.admitted)
		} else if !w.waits { // nothing counts until now
			w.start, w.admitted = now-(now-w.start)%w.window, 0
			return
		}
		w.start, w.admitted = end, 0
	}
}

func (w *idleWindows) figure(emit Emit) {
	if w.windows == 0 {
		emit("idle_limit_pct", ratioOr("no window in which a job waited all the time", 1, 0, 0))
		return
	}
	v := ratioOr("", 100, w.unused, w.windows)
	v.X = quotient(product(100, w.unused), product(w.windows, w.limit))
	v.Pool = Pool{Kind: Ratio, Num: v.X * float64(w.windows), Den: float64(w.windows)}
	emit("idle_limit_pct", v)
}
