package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predictDebt covers buckets with debt. Everything admitted is charged, so the
// limit is kept in the long run, unless a refill is cut at the burst before the
// hits arrive that would use it.
func (c *Config) predictDebt(s steadyLoad) catalog.Prediction {
	p := catalog.NoPrediction("a window contains whole bursts of one interval")
	p.Noise.Why = "bursts of one interval recur with a period of their own"
	lost := s.ReportLoss.Float()
	lossy := lost > 0
	seen := s.k * (1 - lost) // of the limit
	// The distance between the load and the limit, in standard deviations of the
	// count of an interval.
	hits := s.limit * s.d / s.w
	variance := 0.0
	if s.Poisson {
		variance += s.k / hits
	}
	variance += s.k * s.k / s.n * lost * (1 - lost)
	away := math.Abs(seen-1) / math.Sqrt(max(variance, 1e-18))
	depth := float64(c.Bucket.Burst) / float64(c.Limit.Count) * s.w // s of refill
	deep := depth >= 2*(s.d+s.Tail)
	cuts := !deep && (c.RefillFirst || c.Literal) // at every report
	held := depth - (seen-1)*s.Before             // s of refill left of the bucket's initial level
	busy, idle := s.busy()
	p.LongRun.Why = catalog.Reasons{
		{!busy, idle},
		{away < 1.5 && !(seen > 1 && deep), "the counted load is close to the limit: how much refill is lost depends on noise"},
		{lossy && c.Pessimistic, "clients reject while a lost report leaves them without an answer"},
		{s.Span > 0 && s.k*(s.d+s.Tail) > 0.1*s.Span, "the measured span is short compared with the time in which a debt is made and paid"},
		{seen > 1 && s.Span > 0 && held > 0.01*s.Span && c.Bucket.Initial != counting.Empty, "the bucket's initial level is large compared with the measured span"},
		{!deep && s.Tail > 0.01*s.k*s.d, "the refill during a report's transmission is cut at the burst"},
		{cuts && !c.synchronized(), "clients that report at different times receive answers about debt that is already paid"},
		{!deep && c.RefillFirst && (depth > 0 || lossy || s.varies()), "a refill before the debit is cut at the burst"},
		{!deep && seen <= 1 && s.varies(), "reports that arrive at different times find debt before the refill of the others"},
	}.First()
	switch {
	case p.LongRun.Why != "":
	case seen <= 1:
		p.LongRun = catalog.Predicted{Value: s.k, Formula: "k", Why: "the counted part of the admitted load is below the limit"}
	case !deep && c.RefillFirst:
		p.LongRun = catalog.Predicted{Value: s.k / (s.k + 1), Formula: "k/(k+1)",
			Why: "a bucket of depth 0 loses the refill while hits wait to be reported"}
	case lossy:
		p.LongRun = catalog.Predicted{Value: 1 / (1 - lost), Formula: "1/(1-p)",
			Why: "a share p of the reports is lost and not counted"}
	default:
		p.LongRun = catalog.Predicted{Value: 1, Formula: "1", Why: "debt is paid before anything is admitted"}
	}
	return p
}
