package least

import (
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// LeastRate returns the least count of HAProxy's http_req_rate in a window in ns that keeps
// a goal, with the reserve. HAProxy counts what it refuses, so a request has the same rate
// under every limit, and the answer is exact.
func (s *Study) LeastRate(window int64, g Goal) (int64, error) {
	limit := counting.Limit{Count: 1, Window: window}
	if err := (counting.HAProxyRateOptions{}).Check(limit); err != nil {
		return 0, err
	}
	rates := counting.NewHAProxyRates(limit, counting.HAProxyRateOptions{}, len(s.Keys))
	worst, above := make([]int64, len(s.Keys)), map[int64]int64{} // requests, or keys, by rate
	err := s.log(func(b Block) error {
		for i, key := range b.Keys {
			rates.Take(key, b.Times[i], b.Costs[i])
			rate := rates.Rate(key, b.Times[i])
			worst[key] = max(worst[key], rate)
			if !g.OfKeys && !s.IsAbuser(key) {
				above[rate]++
			}
		}
		return nil
	})
	for key, rate := range worst {
		if g.OfKeys && !s.IsAbuser(int32(key)) {
			above[rate]++
		}
	}
	left, least := s.Allowed(g), int64(1)
	for _, rate := range slices.Backward(slices.Sorted(maps.Keys(above))) {
		if left -= above[rate]; left < 0 {
			least = max(rate, 1)
			break
		}
	}
	return g.reserved(least), err
}
