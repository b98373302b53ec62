package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var settlementMetrics = []catalog.Metric{
	{Name: "stranded_cost_mean", Unit: "tokens", Better: -1, Formula: "time-weighted mean over the span of the sum over reservations of (reserved - cost)+", Doc: "Cost that is reserved and will not be used, at a random instant. It strands from the admission of its request until it is settled, expires or counts no longer."},
	{Name: "stranded_cost_max", Unit: "tokens", Better: -1, Formula: "largest sum over reservations of (reserved - cost)+", Doc: "Largest cost that is reserved and will not be used."},
	{Name: "stranded_requests_mean", Unit: "requests", Better: -1, Formula: "time-weighted mean over the span of the number of reservations above their cost", Doc: "Requests whose reservation is above their cost, at a random instant."},
	{Name: "stranded_requests_max", Unit: "requests", Better: -1, Formula: "largest number of reservations above their cost", Doc: "Largest number of requests whose reservation is above their cost."},
}

// Settlement measures the reservations of a limiter that settles costs: see
// docs/systems/llm-tokens.md.
type Settlement struct {
	used           bool
	cost, requests occupancy
}

func newSettlement(r *Recorder) Reporter {
	r.settlement = &Settlement{cost: newOccupancy(&r.cfg), requests: newOccupancy(&r.cfg)}
	return r.settlement
}

// Settlement returns the meter of reservations.
func (r *Recorder) Settlement() *Settlement { return r.settlement }

// Reserve notes that the limiter holds this many tokens from now on for a request of
// this cost. Times must not decrease between the calls of Reserve and Release.
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
}

func (s *Settlement) close(end int64) {
	s.cost.close(end)
	s.requests.close(end)
}

func (s *Settlement) Figures(emit Emit) string {
	if !s.used {
		return "no reservations"
	}
	s.cost.figures("stranded_cost", emit)
	return s.requests.figures("stranded_requests", emit)
}
