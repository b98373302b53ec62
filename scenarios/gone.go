package scenarios

// gone has the words that earlier versions knew, and what to use instead.
var gone = map[string]string{
	"half_life":         "it went: the weight of past load halves in 120 s",
	"report_duplicate":  "it went: use the fault report-duplicate",
	"store_concurrency": "it went: the store works on one operation at a time; a lower store_service_time makes it faster",
}
