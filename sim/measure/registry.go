package measure

import (
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// source is an entry of the registry: a meter and its metrics.
type source struct {
	metrics []catalog.Metric
	full    bool // all of them are in the full metric set alone
	workers bool // but always measured where callers are workers
	// build is nil for metrics that only real limiters have.
	build func(*Recorder) Reporter
	// pool reports for the meters of the policies, each over its own keys and
	// limit. It is nil if the meter measures requests and not keys.
	pool func(parts []Reporter, emit Emit) (none string)
}

// sources is the registry, in the order of reports. The fairness meters must
// come after the window meter, whose totals they may read.
var sources = []source{
	{metrics: tallyMetrics(), build: newTallyMeter},
	{metrics: failedMetrics},
	{metrics: throughputMetrics, build: newThroughput},
	{metrics: windowMetrics, build: newWindowMeter, pool: together(windowFigures)},
	{metrics: burstMetrics, build: newBurstMeter, pool: largestOf(burstMetrics)},
	{metrics: fairnessMetrics("tenant"), build: newTenantFairness},
	{metrics: fairnessMetrics("client"), build: newClientFairness},
	{metrics: clientShareMetrics, build: newClientShares},
	{metrics: latencyMetrics(), build: newLatencyMeter},
	{metrics: loadMetrics, build: newLoad},
	{metrics: conflictMetrics, build: newConflicts},
	{metrics: guardMetrics(), build: newGuardMeter},
	{metrics: answerMetrics(), build: newAnswerMeter},
	{metrics: excessMetrics, build: newExcessMeter},
	{metrics: concurrencyMetrics, build: newConcurrencyMeter},
	{metrics: jobMetrics, build: newJobMeter},
	{metrics: queueMetrics, build: newQueueMeter},
	{metrics: overspendMetrics, build: newOverspend, pool: together(overspendFigures)},
	{metrics: settlementMetrics, build: newSettlement},
	{metrics: refusedFittingMetrics, build: newRefusedFitting},
	{metrics: differenceMetrics, build: newDifferences},
	{metrics: slidingMetrics, full: true, build: newSlidingMeter, pool: largestOf(slidingMetrics)},
	{metrics: leadMetrics, full: true, build: newLeadMeter, pool: largestOf(leadMetrics)},
	{metrics: secondMetrics("tenant"), full: true, build: newTenantSeconds},
	{metrics: secondMetrics("client"), full: true, build: newClientSeconds},
	{metrics: stepMetrics, full: true, build: newStepMeter, pool: together(stepFigures)},
	{metrics: faultMetrics, full: true, build: newFaultMeter, pool: together(faultFigures)},
	{metrics: failOpenMetrics, full: true, build: newFailOpenMeter},
	{metrics: retryMetrics, full: true, workers: true, build: newRetryMeter},
}

// Metrics returns the declarations of all metrics in the order of reports. They are those
// of all callers, who must not change them.
var Metrics = sync.OnceValue(func() []catalog.Metric {
	var all []catalog.Metric
	for _, s := range sources {
		for _, m := range s.metrics {
			m.Full = m.Full || s.full
			all = append(all, m)
		}
	}
	return slices.Clip(all)
})
