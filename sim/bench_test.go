package sim

import (
	"context"
	"testing"
)

// benchmarkTrial runs the cohort of one algorithm, as `run` does: traffic, the
// reference, the algorithm and its measures. It reports decisions of the
// algorithm; the reference's are not counted.
func benchmarkTrial(b *testing.B, text string) {
	plans, problems, err := prepare(context.Background(), load(b, text), nil, nil)
	if err != nil || len(problems) > 0 {
		b.Fatal(err, problems)
	}
	b.ReportAllocs()
	decisions := 0
	for b.Loop() {
		j := &job{plan: plans[0], rows: []int{len(plans[0].rows) - 1}}
		c, _, err := j.build()
		if err != nil {
			b.Fatal(err)
		}
		decisions = 0
		if err := c.run(context.Background(), func(n int, _ int64) { decisions += n }); err != nil {
			b.Fatal(err)
		}
	}
	perRun := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(decisions)/perRun/1e6, "Mdecisions/s")
	b.ReportMetric(perRun*1e9/float64(decisions), "ns/decision")
}

// BenchmarkCentralTokenBucket is the workload of the first bar: 100 Poisson
// sources of 1,000/s on one bucket of 50,000/s, burst 5,000, for 60 s.
func BenchmarkCentralTokenBucket(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 60s
scenarios:
  - name: one bucket
    policy: {limit: 50000/s, burst: 5000}
    traffic: [{pattern: poisson, rate: 100000/s, tenants: {uniform: {count: 100}}}]
    algorithms: [token-bucket]
`)
}

// BenchmarkBatchReported is a fleet of 100 gateways and 1,000 keys.
func BenchmarkBatchReported(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 2s
scenarios:
  - name: fleet
    policy: {limit: 500/s}
    topology: {clients: 100, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: 1000000/s, keys: {uniform: {count: 1000}}}]
    algorithms: [batch-reported]
`)
}

// BenchmarkWaitingRovers is the event lane: callers that queue on a bucket.
func BenchmarkWaitingRovers(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 20s
scenarios:
  - name: queue
    policy: {limit: 100000/s, burst: 100}
    traffic: [{pattern: poisson, rate: 90000/s}]
    algorithms: [rover]
`)
}
