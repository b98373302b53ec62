package baseline

import (
	"math"
	"strings"
)

// bounds are the values that a metric can take by its definition: a threshold
// beyond them cannot fail.
func bounds(metric string) (lo, hi float64) {
	switch {
	case metric == "long_run_error_pct", metric == "window_error_mean_pct":
		return -100, math.Inf(1) // signed, of what is admitted
	case metric == "rejected_pct", metric == "under_admission_pct", metric == "false_reject_pct", metric == "policed_pct",
		metric == "first_try_pct", metric == "gave_up_pct", metric == "fresh_admitted_pct",
		strings.HasPrefix(metric, "over_limit_share_"), metric == "client_share_min_pct", metric == "client_share_max_pct":
		return 0, 100
	case metric == "fail_open_share":
		return 0, 1
	case strings.HasPrefix(metric, "fairness_") && (strings.Contains(metric, "_jain") || strings.Contains(metric, "_min")):
		return 0, 1
	}
	return 0, math.Inf(1) // counts, times, rates, ratios
}
