package conformance

import "sort"

// history is the calls of one key so far, at the instants at which the counter gives
// the limiter's verdicts.
type history struct {
	exact   *exact
	policy  Policy
	counter decider
	last    int64 // the latest own time of a call
	calls   []moment
}

// moment is a call at the instant at which the counter decides it.
type moment struct {
	at, cost int64
	admitted bool // by the limiter
}

// outcome is the result of a comparison of two verdicts.
type outcome int

const (
	equal outcome = iota
	explained
	different
)

// add compares the counter's verdict on the next call with the limiter's.
func (h *history) add(call Call, admitted bool, tolerance int64) outcome {
	m := moment{call.AtNs, call.Cost, admitted}
	at := call.AtNs // as the counter sees it: an earlier time counts as the latest one seen
	if n := len(h.calls); n > 0 {
		at = max(at, h.calls[n-1].at)
	}
	if call.AtNs >= h.last {
		m.at = at // the call before may have been moved past this one
	}
	h.last = max(h.last, call.AtNs)
	agrees := h.counter.take(m.at, m.cost) == admitted
	if tolerance == 0 {
		if agrees {
			return equal
		}
		return different
	}
	h.calls = append(h.calls, m)
	switch {
	case agrees:
		return equal
	case h.earlier(at, max(h.last-tolerance, 0)), h.later(at, h.last+tolerance):
		return explained
	}
	return different
}

// earlier moves the latest call, and those that are then after it, back to the latest
// instant at which the counter gives the limiter's verdict. It reports whether there
// is one, not before the earliest, at which all verdicts agree.
func (h *history) earlier(at, earliest int64) bool {
	back := func(ns int64) shift {
		return func(_ int, t int64) int64 { return min(t, at-ns) }
	}
	// Until the shift reaches another call, it moves the same ones, and the verdict
	// changes once.
	moved := int64(0)
	for i := len(h.calls) - 2; i >= 0 && h.calls[i].at >= earliest; i-- {
		if to := at - h.calls[i].at; to > moved {
			if h.move(moved, to, back) {
				return true
			}
			moved = to
		}
	}
	return h.move(moved, at-earliest, back)
}

// later moves the latest call on to the earliest instant at which the counter gives
// the limiter's verdict. It reports whether there is one, not after the latest.
func (h *history) later(at, latest int64) bool {
	n := len(h.calls)
	return h.move(0, latest-at, func(ns int64) shift {
		return func(i int, t int64) int64 {
			if i == n-1 {
				return at + ns
			}
			return t
		}
	})
}

// shift returns the new instant of call i, now at t.
type shift func(i int, t int64) int64

// move applies the least shift, of more than low and at most high ns, with which all
// verdicts agree. It reports whether there is one.
func (h *history) move(low, high int64, shiftBy func(ns int64) shift) bool {
	// A shift that is too small changes no verdict, one that is too large changes the
	// verdict on an earlier call.
	changes := func(i int) bool {
		_, before, last := h.replay(shiftBy(low + 1 + int64(i)))
		return last || !before
	}
	n := int(max(high-low, 0))
	i := sort.Search(n, changes)
	if i == n {
		return false
	}
	moved := shiftBy(low + 1 + int64(i))
	counter, before, last := h.replay(moved)
	if !before || !last {
		return false
	}
	h.counter = counter
	for i := range h.calls {
		h.calls[i].at = moved(i, h.calls[i].at)
	}
	return true
}

// replay decides all calls at shifted instants. It reports whether the verdicts on
// the calls before the last agree, and that on the last.
func (h *history) replay(moved shift) (d decider, before, last bool) {
	d, before, last = h.exact.fresh(h.policy), true, true
	for i, m := range h.calls {
		before = before && last
		last = d.take(moved(i, m.at), m.cost) == m.admitted
	}
	return d, before, last
}
