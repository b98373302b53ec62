package sim

import (
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// drawLimit sets the limit line of a series: the limit per bin of all keys of a
// policy together, and its changes by faults. The floats are used only in
// plots.
func drawLimit(series *results.Series, s *engine.Setting, policy *scenarios.Policy, keys int) {
	written := policy.Limit.PerSecond() * float64(keys) * float64(series.BinNs) / 1e9
	limit := limitOf(policy)
	at := func(now int64) float64 {
		return written * (float64(s.LimitAt(limit, now).Count) / float64(limit.Count))
	}
	series.LimitPerBin, series.LimitChanges = at(series.StartNs), nil
	last := series.LimitPerBin
	for now := s.Faults.Next(series.StartNs); now < faults.Never; now = s.Faults.Next(now) {
		if perBin := at(now); perBin != last && now < series.EndNs() {
			series.LimitChanges = append(series.LimitChanges, results.LimitChange{AtNs: now, LimitPerBin: perBin})
			last = perBin
		}
	}
}
