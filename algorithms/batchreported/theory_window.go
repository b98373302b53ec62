package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// windows is the prediction of fixed windows that go over the limit by this much.
func windows(over float64, formula, why string) catalog.Prediction {
	return catalog.Prediction{
		OverLimit: catalog.Predicted{Value: over, Formula: formula, Why: why},
		LongRun:   catalog.Predicted{Value: 1 + over, Formula: "1 + over-limit", Why: "all windows are alike"},
		Noise:     catalog.Predicted{Why: "depends on where in a report the limit falls"},
	}
}

// predictWindows is about fixed windows that the load fills each time.
func (c *Config) predictWindows(s steadily) catalog.Prediction {
	if c.together() {
		return c.predictTogether(s)
	}
	return c.predictApart(s)
}

// predictApart is about clients that report at different times, k = offered/limit,
// d = interval, l = latency, w = window, N clients: the window is full when the
// count that the server knows reaches L. Then reports of the other clients are
// d/2 old on average and those clients learn of it d/2 later, each client but
// one, and half of the report that crossed the line is too much: with a call's
// latency on top the fleet is k*(d*(1-1/(2N))+l)/w ahead.
//
// That takes everybody to have been told, and everything that was let through to
// have arrived, when the window ends: what arrives later counts in the next
// window, which then is full sooner.
func (c *Config) predictApart(s steadily) catalog.Prediction {
	busy, idle := s.busy()
	// Time between the report that fills the window and the window's end, if
	// nothing came over from the window before.
	y := s.left - s.d/2 - s.Latency/2
	told := s.d + math.Ceil(s.Tail/s.d-1e-9)*s.d // from then until all has arrived
	switch {
	case s.varies() && s.Tail > s.d:
		return catalog.NoPrediction("reports overtake each other: the latency's 99th percentile is above the interval")
	case c.steps(s) > max(0.01, min(s.k-1, s.k*s.d/s.w)/10):
		return catalog.NoPrediction(singly)
	case busy && y-s.sway >= told:
		return windows(s.k*(s.d*(1-1/(2*s.n))+s.Latency)/s.w, "k*(d*(1-1/(2N))+l)/w", "")
	case busy && !s.varies():
		return s.predictLate()
	case busy:
		return catalog.NoPrediction("the window ends before all clients have been told")
	case s.independent():
		p := 1 - math.Exp(-s.each)
		if y-s.sway < told+4*s.d/s.each {
			return catalog.NoPrediction("fewer than 4 requests per client in what is left of a window when it is full")
		}
		return windows(s.k*(s.d*((1-1/s.n)/p+1/(2*s.n))+s.Latency)/s.w, "k*(d*((1-1/N)/p+1/(2N))+l)/w",
			"p = 1-exp(-h) of the intervals have a request, with h requests per client and interval")
	}
	// One request after the other, at about the distance d/each.
	switch distance := s.d / s.each; {
	case s.Poisson && s.n < 10 || s.each*(1+s.Latency/s.d) > s.even():
		return catalog.NoPrediction(idle)
	case y-s.sway < told+distance:
		return catalog.NoPrediction("not every client has a request in what is left of a window when it is full")
	}
	return windows((s.n-1)/s.limit, "(N-1)/L", "each client but one lets one request too many through before it has anything to report")
}

const singly = "so few clients or requests that it depends on single ones what is let through"

// steps is how far a window may be from the mean of all, as a share of the limit,
// because of where single reports and requests of regular clients lie.
func (c *Config) steps(s steadily) float64 {
	far := 0.0
	if c.Phase == ticks.Staggered {
		far = s.k * s.d / s.w / (2 * s.n) // half the time between two reports
	}
	switch {
	case s.Poisson:
		return far
	case c.Phase == ticks.Staggered && !s.AtRandom:
		return max(far, s.n/2/s.limit) // all clients' requests beat with their ticks
	}
	return max(far, 1/(2*s.limit))
}

// even is how many requests per client and interval are so few that no client has
// two in one.
func (s *steadily) even() float64 {
	if s.Poisson {
		return 0.5
	}
	return 1
}

// predictLate is about windows that end before all clients have been told, or
// before all their reports have arrived. What a window lets through and does not
// count, C, is counted in the next: with x from when the first client may be told
// until the end, that is a balance of x.
func (s *steadily) predictLate() catalog.Prediction {
	const why = "reports that arrive after their window count in the next"
	spare := s.left - s.Latency/2
	few := s.d * (math.Sqrt(1+2*max(0, spare)/s.d) - 1)
	many := s.left/2 + (s.d-s.Latency)/4
	arrived := s.d + s.Latency/2 // of the next window, when all late reports have come
	switch {
	case spare+s.sway <= 0:
		return windows(s.k-1, "k-1", "no answer comes before its window is over")
	case spare > s.sway && few >= 2*s.d/s.n && s.Latency <= s.d && few+s.Latency/2 <= s.d && s.w-few-s.Latency/2 >= arrived:
		x := few*(1-1/s.n) + s.d/(2*s.n)
		return windows(s.k*(x+s.Latency/2)/s.w, "k*(d*(sqrt(1+2*(w-w/k-l/2)/d)-1)+l/2)/w", why)
	case many-s.sway >= s.d && many <= s.Latency/2 && s.w-many-s.Latency/2 >= arrived:
		return windows(s.k*(s.left/2+(s.d+s.Latency)/4)/s.w, "k*(2*(w-w/k)+d+l)/(4*w)", why)
	}
	return catalog.NoPrediction("the window ends while clients are being told: reports that arrive after it count in the next")
}

// atOneTime says whether the phase has all clients report at the same instants.
func (c *Config) atOneTime() bool { return c.Phase == ticks.Aligned || c.Phase == ticks.CommonRandom }

// predictTogether is about clients that report at the same instants, m = w/d of
// them to a window. They cross the line at the first tick at which k*n*d >= w, and
// learn of it l later.
//
// Where that tick would be the window's end, 1 < k < m/(m-1), the report counts
// in the next window: one window has no limit, the next is filled by its last
// tick but one with what came over.
func (c *Config) predictTogether(s steadily) catalog.Prediction {
	first, unknown := 0.0, false
	switch {
	case c.Phase == ticks.CommonRandom || c.Phase == ticks.Random:
		unknown = true
	case c.Phase == ticks.Staggered:
		first = s.d / 2
	}
	aligned := c.Limit.Window%c.Interval == 0
	late := s.d*math.Ceil(s.Latency/s.d-1e-9) + s.Latency/2 // from a tick until all has arrived that is let through after it
	busy, idle := s.busy()
	switch {
	case !busy:
		return catalog.NoPrediction(idle)
	case s.varies():
		return catalog.NoPrediction("latencies that vary scatter reports of one instant")
	case unknown && s.left-s.sway >= s.d+late:
		return windows(s.k*(s.d/2+s.Latency)/s.w, "k*(d/2+l)/w", "on average over all places of the ticks")
	case !aligned:
		return catalog.NoPrediction("windows that are no multiple of the interval drift through it")
	case unknown && s.Latency == 0 && s.left+s.sway < s.d:
		return everyOther(s.k, 1-(s.d*s.d+s.left*s.left)/(4*s.d*s.w), "k*(1-(d^2+(w-w/k)^2)/(4*d*w))")
	case unknown:
		return catalog.NoPrediction("the report that fills a window may come after its end")
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
		return catalog.NoPrediction("the report that fills a window may come after its end")
	}
	return s.predictTicks(first)
}

// predictTicks is about clients that all report at first and every d from then on.
func (s *steadily) predictTicks(first float64) catalog.Prediction {
	// The expected time of the tick that fills the window: all ticks before come
	// to less than the limit.
	at := first
	for tick := 0; tick <= int(s.w/s.d); tick++ {
		t := first + float64(tick)*s.d
		if mean := s.k * s.limit * t / s.w; !s.Poisson && math.Abs(mean-s.limit) < 1 && math.Abs(mean-math.Round(mean)) > 1e-6 {
			return catalog.NoPrediction("a tick comes within one request of the limit")
		}
		at += s.d * s.below(t)
	}
	if over := s.k*(at+s.Latency)/s.w - 1; !s.Poisson && 1/s.limit > max(0.01, over/10) {
		return catalog.NoPrediction(singly)
	}
	formula, why := "k*(ceil(w/(k*d))*d+l)/w - 1", ""
	switch {
	case s.Poisson:
		formula, why = "k*(d*sum(P(n))+l)/w - 1", "P(n) is the chance that the first n intervals bring less than L"
	case first > 0:
		formula = "k*(d*(ceil(w/(k*d)-1/2)+1/2)+l)/w - 1"
	}
	return windows(s.k*(at+s.Latency)/s.w-1, formula, why)
}

// below is the chance that less than the limit is offered in the first t seconds
// of a window.
func (s *steadily) below(t float64) float64 {
	mean := s.k * s.limit * t / s.w
	if s.Poisson {
		return math.Erfc((mean-s.limit+0.5)/math.Sqrt(2*max(mean, 1e-9))) / 2
	}
	if mean < s.limit-1e-6 {
		return 1
	}
	return 0
}

// everyOther is the prediction where every other window has no limit.
func everyOther(k, share float64, formula string) catalog.Prediction {
	const why = "the report that fills a window comes at its end and counts in the next: every other window has no limit"
	p := windows((k-1)/2, "(k-1)/2", why)
	p.LongRun = catalog.Predicted{Value: k * share, Formula: formula, Why: why}
	return p
}
