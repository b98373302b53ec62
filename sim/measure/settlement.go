package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var settlementMetrics = []catalog.Metric{
	{Name: "stranded_cost_mean", Unit: "tokens", Better: -1, Formula: "time-weighted mean over the span of the sum over reservations of max(0, reserved - actual cost)", Doc: "Cost that is reserved and will not be used, averaged over time. It strands from the admission of its request until the reservation is settled, expires or counts no longer. Times the length of the span, it is the stranded cost x time."},
	{Name: "stranded_cost_max", Unit: "tokens", Better: -1, Formula: "largest sum over reservations of max(0, reserved - actual cost)", Doc: "Largest cost at any instant that is reserved and will not be used."},
	{Name: "stranded_requests_mean", Unit: "requests", Better: -1, Formula: "time-weighted mean over the span of the number of reservations above their actual cost", Doc: "Number of requests whose reservation is above their actual cost, averaged over time."},
	{Name: "stranded_requests_max", Unit: "requests", Better: -1, Formula: "largest number of reservations above their actual cost", Doc: "Largest number of requests at any instant whose reservation is above their actual cost."},
}

// Settlement measures the reservations of a limiter that settles costs: see
// docs/systems/llm-tokens.md.
type Settlement struct {
	settles, used  bool
	cost, requests occupancy
	series         meanSeries // of cost
}

func newSettlement(r *Recorder) Reporter {
	r.settlement = &Settlement{settles: r.cfg.Settles, cost: newOccupancy(&r.cfg), requests: newOccupancy(&r.cfg)}
	if r.cfg.Settles {
		r.settlement.series = newMeanSeries(&r.cfg)
	}
	return r.settlement
}

// Settlement returns the meter of reservations.
func (r *Recorder) Settlement() *Settlement { return r.settlement }

// Reserve notes that the limiter holds this many tokens from now on for a request of
// this cost. Times must not decrease between the calls of Reserve and Release. Both
// may be called only if costs become known with the answer.
func (s *Settlement) Reserve(now, held, cost int64) { s.strand(now, held-cost, 1) }

// Release notes that the limiter does not hold them any more.
func (s *Settlement) Release(now, held, cost int64) { s.strand(now, held-cost, -1) }

func (s *Settlement) strand(now, tokens, sign int64) {
	s.used = true
	if tokens <= 0 {
		tokens, sign = 0, 0
	}
	s.cost.set(now, s.cost.level+sign*tokens)
	s.requests.set(now, s.requests.level+sign)
	s.series.set(now, s.cost.level)
}

func (s *Settlement) close(end int64) {
	s.cost.close(end)
	s.requests.close(end)
	if s.settles {
		s.series.close(end)
	}
}

func (s *Settlement) Figures(emit Emit) string {
	switch {
	case !s.settles:
		return knownOnArrival
	case !s.used:
		return "no reservations"
	}
	s.cost.figures("stranded_cost", emit)
	return s.requests.figures("stranded_requests", emit)
}
