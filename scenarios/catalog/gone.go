package catalog

import "strings"

// gone has the words that earlier versions knew, and what to use instead.
var gone = map[string]string{
	"half_life":         "it went: the weight of past load halves in 120 s",
	"report_duplicate":  "it went: use the fault report-duplicate",
	"store_concurrency": "it went: the store works on one operation at a time; a lower store_service_time makes it faster",

	"policed_pct":                  "it went: see over_admission_pct and burst_excess",
	"envelope_":                    "it went: see worst_sliding_pct and burst_excess",
	"stranded_tokens":              "it went: see waiting_requests",
	"timed_out_outside_faults_pct": "it went: see timed_out_pct",
	"granted_tokens":               "it went: see server_calls_per_s",
	"expired_tokens":               "it went: see under_admission_pct",
	"expired_tokens_pct":           "it went: see under_admission_pct",
}

// InsteadOf returns what to use instead of a word that went, or "".
func InsteadOf(name string) string {
	if strings.HasPrefix(name, "envelope_") {
		name = "envelope_"
	}
	return gone[name]
}
