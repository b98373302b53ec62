package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// failedMetrics has figures of real limiters alone. A simulated limiter answers
// every request, or its caller decides in its place.
var failedMetrics = []catalog.Metric{
	{
		Name: "failed_requests", Unit: "requests", Better: -1,
		Formula: "requests that were sent to a real limiter and got no verdict",
		Doc:     "Exact count of requests to a real limiter without a verdict, such as after a timeout or a lost connection. Simulated rows have none.",
	},
	{
		Name: "failed_pct", Unit: "%", Better: -1,
		Formula: "100 * failed_requests / offered_requests",
		Doc:     "Share of the requests to a real limiter that got no verdict. The limiter may have admitted them, so that they widen the bounds of other figures.",
	},
}
