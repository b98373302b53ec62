package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predictDebt is about buckets with debt. All that is let through is charged, and
// so the limit is kept in the long run unless a refill is cut at the burst before
// the hits arrive that it is for.
func (c *Config) predictDebt(s steadily) catalog.Prediction {
	p := catalog.NoPrediction("windows hold whole bursts of one interval")
	p.Noise.Why = "bursts of one interval come and go with their own period"
	lost, twice := c.ReportLoss.Float(), c.ReportDuplicate.Float()
	lossy := lost > 0 || twice > 0
	seen := s.k * (1 - lost) * (1 + twice) // of the limit
	// What an interval's count varies by, in standard deviations that the load
	// is away from the limit.
	hits := s.limit * s.d / s.w
	variance := 0.0
	if s.Poisson {
		variance += s.k / hits
	}
	variance += s.k * s.k / s.n * (lost*(1-lost)*(1+twice)*(1+twice) + (1-lost)*twice*(1-twice))
	away := math.Abs(seen-1) / math.Sqrt(max(variance, 1e-18))
	depth := float64(c.Bucket.Burst) / float64(c.Limit.Count) * s.w // s of refill
	deep := depth >= 2*(s.d+s.Tail)
	held := depth - (seen-1)*s.Before // s of refill that are left of what the bucket held at first
	busy, idle := s.busy()
	none := func(why string) catalog.Prediction { p.LongRun.Why = why; return p }
	switch {
	case !busy:
		return none(idle)
	case away < 1.5 && !(seen > 1 && deep):
		return none("about as much is counted as may be: it depends on the noise what of a refill is lost")
	case lossy && c.Pessimistic:
		return none("clients reject while a lost report leaves them without an answer")
	case s.Span > 0 && s.k*(s.d+s.Tail) > 0.1*s.Span:
		return none("what is looked at is not long beside the time in which a debt is made and paid")
	case seen > 1 && s.Span > 0 && held > 0.01*s.Span && c.Bucket.Initial != counter.Empty:
		return none("what the bucket held at first is much beside what is looked at")
	case !deep && s.Tail > 0.01*s.k*s.d:
		return none("what is refilled while a report is on its way is cut at the burst")
	case !deep && !c.together():
		return none("clients that report apart are told of debt that is already paid")
	case !deep && c.RefillFirst && (depth > 0 || lossy || s.varies()):
		return none("a refill before the debit is cut at the burst")
	case !deep && seen <= 1 && s.varies():
		return none("reports that arrive apart are in debt before the others' refill")
	case seen <= 1:
		p.LongRun = catalog.Predicted{Value: s.k, Formula: "k", Why: "of what is let through less than the limit is counted"}
	case !deep && c.RefillFirst:
		p.LongRun = catalog.Predicted{Value: s.k / (s.k + 1), Formula: "k/(k+1)",
			Why: "a bucket of depth 0 loses what is refilled while hits wait to be reported"}
	case lossy:
		p.LongRun = catalog.Predicted{Value: 1 / ((1 - lost) * (1 + twice)), Formula: "1/((1-p)*(1+q))",
			Why: "debt counts a share p of lost reports not at all, and a share q of the others twice"}
	default:
		p.LongRun = catalog.Predicted{Value: 1, Formula: "1", Why: "debt is paid before anything is let through"}
	}
	return p
}
