package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// source is a meter in the registry: what it reports and how it is built.
type source struct {
	metrics []catalog.Metric
	full    bool // built for tier full only
	build   func(*Recorder) Reporter
}

// sources is the registry, in the order in which figures are reported. Order
// matters to fairness, which may read the totals that windows keeps.
var sources = []source{
	{tallyMetrics(), false, newTallyMeter},
	{windowMetrics, false, newWindowMeter},
	{burstMetrics, false, newBurstMeter},
	{fairnessMetrics("tenant"), false, newTenantFairness},
	{fairnessMetrics("client"), false, newClientFairness},
	{latencyMetrics(), false, newLatencyMeter},
	{loadMetrics, false, newLoad},
	{nil, false, newSeriesMeter},
	{guardMetrics(), false, newGuardMeter},
	{queueMetrics, false, newQueueMeter},
	{strandedMetrics, false, newStrandedMeter},
	{slidingMetrics, true, newSlidingMeter},
	{envelopeMetrics(), true, newEnvelopeMeter},
	{leadMetrics, true, newLeadMeter},
	{policedMetrics, true, newPolicedMeter},
	{secondMetrics("tenant"), true, newTenantSeconds},
	{secondMetrics("client"), true, newClientSeconds},
	{stepMetrics, true, newStepMeter},
}

// Metrics declares every figure of both tiers, in the order of reports.
func Metrics() []catalog.Metric {
	var all []catalog.Metric
	for _, s := range sources {
		all = append(all, s.metrics...)
	}
	return all
}
