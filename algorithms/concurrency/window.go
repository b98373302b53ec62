package concurrency

// Window gives a law one sample for all answers of a span of time: their mean time, their
// largest number in flight and whether any was dropped. Source: WindowedLimit of
// Netflix/concurrency-limits with its AverageSampleWindow.
type Window struct {
	law     Law
	width   int64 // ns
	samples int64
	next    int64 // the first answer after it ends the window, ns

	count, sum, inFlight int64
	dropped              bool
}

// fastest is the least time of an answer that a window takes, in ns.
const fastest = 100_000

// NewWindow puts a window before a law that is not Timed. Its source has a width of 1 s, in
// ns, and 10 samples; a window with fewer is thrown away. So is the first one, which one
// answer ends.
func NewWindow(law Law, width, samples int64) *Window {
	return &Window{law: law, width: width, samples: samples}
}

// Limit implements Law.
func (w *Window) Limit() int64 { return w.law.Limit() }

// Answer implements Law.
func (w *Window) Answer(s Sample) {
	if s.RTT < fastest {
		return
	}
	w.count++
	w.sum += s.RTT
	w.inFlight = max(w.inFlight, s.InFlight)
	w.dropped = w.dropped || s.Dropped
	end := s.Sent + s.RTT
	if end <= w.next {
		return
	}
	if w.count >= w.samples {
		w.law.Answer(Sample{Sent: s.Sent, RTT: w.sum / w.count, InFlight: w.inFlight, Dropped: w.dropped})
	}
	w.next = end + w.width
	w.count, w.sum, w.inFlight, w.dropped = 0, 0, 0, false
}
