package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// windows returns the prediction for fixed windows with this mean excess.
func windows(over float64, formula, why string) catalog.Prediction {
	return catalog.Prediction{
		OverLimit: catalog.Predicted{Value: over, Formula: formula, Why: why},
		LongRun:   catalog.Predicted{Value: 1 + over, Formula: "1 + over-limit", Why: "all windows are equal"},
		Noise:     catalog.Predicted{Why: "depends on the position of the limit within a report"},
	}
}

// predictApart covers clients that report at different times. With k =
// offered/limit, d = interval, l = latency, w = window and N clients, the window
// is full when the count at the server reaches L. At that time the reports of the
// other clients are d/2 old on average, and all clients but one learn of the full
// window d/2 later. Half of the report that reached the limit is excess. With the
// latency, the fleet exceeds the limit by k*(d*(1-1/(2N))+l)/w.
//
// This assumes that all clients have received the answer, and that everything
// admitted has been reported, when the window ends. Hits that are reported later
// count in the next window, which is then full sooner.
func (c *Config) predictApart(s steadyLoad) catalog.Prediction {
	busy, idle := s.busy()
	// Time between the report that fills the window and the window's end, if
	// the window before left no late hits.
	y := s.left - s.d/2 - s.Latency/2
	settled := s.d + math.Ceil(s.Tail/s.d-1e-9)*s.d // from then until all late reports have arrived
	switch {
	case s.varies() && s.Tail > s.d:
		return catalog.NoPrediction("reports arrive out of order: the latency's 99th percentile is above the interval")
	case c.steps(s) > max(0.01, min(s.k-1, s.k*s.d/s.w)/10):
		return catalog.NoPrediction(tooFew)
	case busy && y-s.sway >= settled:
		return windows(s.k*(s.d*(1-1/(2*s.n))+s.Latency)/s.w, "k*(d*(1-1/(2N))+l)/w", "")
	case busy && !s.varies():
		return s.predictLate()
	case busy:
		return catalog.NoPrediction("the window ends before all clients have received the answer")
	case s.independent():
		p := 1 - math.Exp(-s.each)
		if y-s.sway < settled+4*s.d/s.each {
			return catalog.NoPrediction("fewer than 4 requests per client in the rest of a window after it is full")
		}
		return windows(s.k*(s.d*((1-1/s.n)/p+1/(2*s.n))+s.Latency)/s.w, "k*(d*((1-1/N)/p+1/(2N))+l)/w",
			"a share p = 1-exp(-h) of the intervals has a request, with h requests per client and interval")
	}
	// The requests of a client arrive at nearly constant distances of d/each. No
	// client may have two of them in one interval.
	distance, most := s.d/s.each, 1.0
	if s.Poisson {
		most = 0.5
	}
	switch {
	case s.Poisson && s.n < 10 || s.each*(1+s.Latency/s.d) > most:
		return catalog.NoPrediction(idle)
	case y-s.sway < settled+distance:
		return catalog.NoPrediction("not every client has a request in the rest of a window after it is full")
	}
	return windows((s.n-1)/s.limit, "(N-1)/L", "each client but one admits one request in excess before its next report")
}

const tooFew = "so few clients or requests that the result depends on single ones"

// steps returns how far a window may be from the mean of all windows, as a share
// of the limit, because of the timing of single reports and regular requests.
func (c *Config) steps(s steadyLoad) float64 {
	far := 0.0
	if c.Phase == ticks.Staggered {
		far = s.k * s.d / s.w / (2 * s.n) // half the time between two reports
	}
	switch {
	case s.Poisson:
		return far
	case c.Phase == ticks.Staggered && !s.AtRandom:
		return max(far, s.n/2/s.limit) // the requests of all clients interfere with their ticks
	}
	return max(far, 1/(2*s.limit))
}

// predictLate covers windows that end before all clients have received the answer
// or before all their reports have arrived. The late count C of a window counts
// in the next one. With x as the time from the first answer to the window's end,
// this gives an equation for x.
func (s *steadyLoad) predictLate() catalog.Prediction {
	const why = "reports that arrive after their window count in the next one"
	spare := s.left - s.Latency/2
	few := s.d * (math.Sqrt(1+2*max(0, spare)/s.d) - 1)
	many := s.left/2 + (s.d-s.Latency)/4
	arrived := s.d + s.Latency/2 // of the next window, when all late reports have come
	switch {
	case spare+s.sway <= 0:
		return windows(s.k-1, "k-1", "no answer arrives before its window is over")
	case spare > s.sway && few >= 2*s.d/s.n && s.Latency <= s.d && few+s.Latency/2 <= s.d && s.w-few-s.Latency/2 >= arrived:
		x := few*(1-1/s.n) + s.d/(2*s.n)
		return windows(s.k*(x+s.Latency/2)/s.w, "k*(d*(sqrt(1+2*(w-w/k-l/2)/d)-1)+l/2)/w", why)
	case many-s.sway >= s.d && many <= s.Latency/2 && s.w-many-s.Latency/2 >= arrived:
		return windows(s.k*(s.left/2+(s.d+s.Latency)/4)/s.w, "k*(2*(w-w/k)+d+l)/(4*w)", why)
	}
	return catalog.NoPrediction("the window ends while answers arrive: later reports count in the next one")
}

// predictTogether covers clients that report at the same times, m = w/d of them
// per window. They reach the limit at the first tick n with k*n*d >= w, and learn
// of it l later.
//
// If that tick would be the window's end, 1 < k < m/(m-1), its report counts in
// the next window: one window has no limit, and the next one is filled by its
// last tick but one with the late hits.
func (c *Config) predictTogether(s steadyLoad) catalog.Prediction {
	first, unknown := 0.0, false
	switch {
	case c.Phase == ticks.CommonRandom || c.Phase == ticks.Random:
		unknown = true
	case c.Phase == ticks.Staggered:
		first = s.d / 2
	}
	aligned := c.Limit.Window%c.Interval == 0
	late := s.d*math.Ceil(s.Latency/s.d-1e-9) + s.Latency/2 // from a tick until everything admitted after it has been reported
	busy, idle := s.busy()
	switch {
	case !busy:
		return catalog.NoPrediction(idle)
	case s.varies():
		return catalog.NoPrediction("varying latency spreads reports that were sent together")
	case unknown && s.left-s.sway >= s.d+late:
		return windows(s.k*(s.d/2+s.Latency)/s.w, "k*(d/2+l)/w", "averaged over all positions of the ticks")
	case !aligned:
		return catalog.NoPrediction("a window that is not a multiple of the interval drifts relative to it")
	case unknown && s.Latency == 0 && s.left+s.sway < s.d:
		return everyOther(s.k, 1-(s.d*s.d+s.left*s.left)/(4*s.d*s.w), "k*(1-(d^2+(w-w/k)^2)/(4*d*w))")
	case unknown:
		return catalog.NoPrediction("the report that fills a window may arrive after its end")
	}
	last := first + s.d*math.Floor((s.w-late-first)/s.d-1e-9) // the last tick that still fills the window
	if s.Latency == 0 && s.left+max(s.sway, s.w/(s.k*s.limit)) < s.w-last {
		formula := "k*(1-d/(2*w))"
		if first > 0 {
			formula = "k*(1-d/(4*w))"
		}
		return everyOther(s.k, 1-(s.d-first)/(2*s.w), formula)
	}
	if last < 0 || s.left-s.sway < s.w-last {
		return catalog.NoPrediction("the report that fills a window may arrive after its end")
	}
	return s.predictTicks(first)
}

// predictTicks covers clients that all report at first and then every d.
func (s *steadyLoad) predictTicks(first float64) catalog.Prediction {
	// The expected time of the tick that fills the window: before all earlier
	// ticks less than the limit was offered.
	at := first
	for tick := 0; tick <= int(s.w/s.d); tick++ {
		t := first + float64(tick)*s.d
		if mean := s.k * s.limit * t / s.w; !s.Poisson && math.Abs(mean-s.limit) < 1 && math.Abs(mean-math.Round(mean)) > 1e-6 {
			return catalog.NoPrediction("a tick is within one request of the limit")
		}
		at += s.d * s.below(t)
	}
	if over := s.k*(at+s.Latency)/s.w - 1; !s.Poisson && 1/s.limit > max(0.01, over/10) {
		return catalog.NoPrediction(tooFew)
	}
	formula, why := "k*(ceil(w/(k*d))*d+l)/w - 1", ""
	switch {
	case s.Poisson:
		formula, why = "k*(d*sum(P(n))+l)/w - 1", "P(n) is the probability that the first n intervals bring less than L"
	case first > 0:
		formula = "k*(d*(ceil(w/(k*d)-1/2)+1/2)+l)/w - 1"
	}
	return windows(s.k*(at+s.Latency)/s.w-1, formula, why)
}

// below returns the probability that less than the limit is offered in the first
// t seconds of a window.
func (s *steadyLoad) below(t float64) float64 {
	mean := s.k * s.limit * t / s.w
	if s.Poisson {
		return math.Erfc((mean-s.limit+0.5)/math.Sqrt(2*max(mean, 1e-9))) / 2
	}
	if mean < s.limit-1e-6 {
		return 1
	}
	return 0
}

// everyOther returns the prediction if every other window has no limit.
func everyOther(k, share float64, formula string) catalog.Prediction {
	const why = "the report that fills a window arrives at its end and counts in the next one: every other window has no limit"
	p := windows((k-1)/2, "(k-1)/2", why)
	p.LongRun = catalog.Predicted{Value: k * share, Formula: formula, Why: why}
	return p
}
