package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// source is a meter in the registry: what it reports and how it is built.
type source struct {
	metrics []catalog.Metric
	full    bool // built for tier full only
	build   func(*Recorder) Reporter
	// pool brings together the meters of several policies, each over its own
	// keys and limit; nil where a meter looks at requests, whatever keys they
	// fall under.
	pool func(parts []Reporter, emit Emit)
}

// sources is the registry, in the order in which figures are reported. Order
// matters to fairness, which may read the totals that windows keeps.
var sources = []source{
	{tallyMetrics(), false, newTallyMeter, nil},
	{windowMetrics, false, newWindowMeter, poolWindows},
	{burstMetrics, false, newBurstMeter, poolLargest},
	{fairnessMetrics("tenant"), false, newTenantFairness, nil},
	{fairnessMetrics("client"), false, newClientFairness, nil},
	{clientShareMetrics, false, newClientShares, nil},
	{latencyMetrics(), false, newLatencyMeter, nil},
	{loadMetrics, false, newLoad, nil},
	{conflictMetrics, false, newConflicts, nil},
	{nil, false, newSeriesMeter, nil},
	{guardMetrics(), false, newGuardMeter, nil},
	{queueMetrics, false, newQueueMeter, nil},
	{strandedMetrics, false, newStrandedMeter, nil},
	{slidingMetrics, true, newSlidingMeter, poolLargest},
	{envelopeMetrics(), true, newEnvelopeMeter, poolLargest},
	{leadMetrics, true, newLeadMeter, poolLargest},
	{policedMetrics, true, newPolicedMeter, poolPoliced},
	{secondMetrics("tenant"), true, newTenantSeconds, nil},
	{secondMetrics("client"), true, newClientSeconds, nil},
	{stepMetrics, true, newStepMeter, poolSteps},
	{faultMetrics, true, newFaultMeter, poolFaults},
	{failOpenMetrics, true, newFailOpenMeter, nil},
	{retryMetrics, true, newRetryMeter, nil},
}

// Metrics declares every figure of both tiers, in the order of reports.
func Metrics() []catalog.Metric {
	var all []catalog.Metric
	for _, s := range sources {
		all = append(all, s.metrics...)
	}
	return all
}
