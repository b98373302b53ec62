package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// source is an entry of the registry: a meter and its metrics.
type source struct {
	metrics []catalog.Metric
	full    bool // all of them are in the full metric set alone
	// build is nil for metrics that only real limiters have.
	build func(*Recorder) Reporter
	// pool reports for the meters of the policies, each over its own keys and
	// limit. It is nil if the meter measures requests and not keys.
	pool func(parts []Reporter, emit Emit) (none string)
}

// sources is the registry, in the order of reports. The fairness meters must
// come after the window meter, whose totals they may read.
var sources = []source{
	{tallyMetrics(), false, newTallyMeter, nil},
	{failedMetrics, false, nil, nil},
	{throughputMetrics, false, newThroughput, nil},
	{windowMetrics, false, newWindowMeter, together(windowFigures)},
	{burstMetrics, false, newBurstMeter, largestOf(burstMetrics)},
	{fairnessMetrics("tenant"), false, newTenantFairness, nil},
	{fairnessMetrics("client"), false, newClientFairness, nil},
	{clientShareMetrics, false, newClientShares, nil},
	{latencyMetrics(), false, newLatencyMeter, nil},
	{loadMetrics, false, newLoad, nil},
	{conflictMetrics, false, newConflicts, nil},
	{guardMetrics(), false, newGuardMeter, nil},
	{queueMetrics, false, newQueueMeter, nil},
	{overspendMetrics, false, newOverspend, together(overspendFigures)},
	{settlementMetrics, false, newSettlement, nil},
	{refusedFittingMetrics, false, newRefusedFitting, nil},
	{differenceMetrics, false, newDifferences, nil},
	{slidingMetrics, true, newSlidingMeter, largestOf(slidingMetrics)},
	{leadMetrics, true, newLeadMeter, largestOf(leadMetrics)},
	{secondMetrics("tenant"), true, newTenantSeconds, nil},
	{secondMetrics("client"), true, newClientSeconds, nil},
	{stepMetrics, true, newStepMeter, together(stepFigures)},
	{faultMetrics, true, newFaultMeter, together(faultFigures)},
	{failOpenMetrics, true, newFailOpenMeter, nil},
	{retryMetrics, true, newRetryMeter, nil},
}

// Metrics returns the declarations of all metrics in the order of reports.
func Metrics() []catalog.Metric {
	var all []catalog.Metric
	for _, s := range sources {
		for _, m := range s.metrics {
			m.Full = m.Full || s.full
			all = append(all, m)
		}
	}
	return all
}
