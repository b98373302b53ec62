package sim

import (
	"context"
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
)

// See docs/performance.md for the workloads and the results.

// benchmarkTrial runs the batch of rows of one algorithm, as `run` does: traffic,
// the reference, the algorithm and its metrics. It reports the algorithm's
// decisions, without those of the reference.
func benchmarkTrial(b *testing.B, text string) {
	plans, problems, err := prepare(context.Background(), load(b, text), &logReader{})
	if err != nil || len(problems) > 0 {
		b.Fatal(err, problems)
	}
	b.ReportAllocs()
	decisions := 0
	for b.Loop() {
		j := &job{plan: plans[0], rows: plans[0].rows[len(plans[0].rows)-1:]}
		c, _, err := j.build(nil)
		if err != nil {
			b.Fatal(err)
		}
		decisions = 0
		if err := c.run(context.Background(), func(n, _ int64) { decisions += int(n) }); err != nil {
			b.Fatal(err)
		}
	}
	reportDecisions(b, decisions)
}

// reportDecisions reports the speed of iterations of so many decisions each.
func reportDecisions(b *testing.B, decisions int) {
	perRun := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(decisions)/perRun/1e6, "Mdecisions/s")
	b.ReportMetric(perRun*1e9/float64(decisions), "ns/decision")
}

// BenchmarkCentralTokenBucket measures the workload of the first performance
// target: 100 Poisson sources of 1,000/s on one bucket of 50,000/s, burst
// 5,000, for 60 s.
func BenchmarkCentralTokenBucket(b *testing.B) { benchmarkTrial(b, centralTokenBucket("basic")) }

// BenchmarkCentralTokenBucketFull measures the same workload with the metric
// set full.
func BenchmarkCentralTokenBucketFull(b *testing.B) { benchmarkTrial(b, centralTokenBucket("full")) }

func centralTokenBucket(metricSet string) string {
	return fmt.Sprintf(`
version: 1
duration: 60s
metrics: %s
scenarios:
  - name: one bucket
    policy: {limit: 50000/s, burst: 5000}
    traffic: [{pattern: poisson, rate: 100000/s, tenants: {uniform: {count: 100}}}]
    algorithms: [token-bucket]
`, metricSet)
}

// BenchmarkBareLoop measures the arithmetic of BenchmarkCentralTokenBucket
// alone, written by hand: Poisson gaps, a source for each arrival, and one
// bucket without a branch on the verdict. The difference is the cost of blocks,
// reference and metrics.
func BenchmarkBareLoop(b *testing.B) {
	const (
		sources, end = 100, int64(60e9)
		token        = int64(20_000) // ns in which 50,000/s earn one
		room         = 4_999 * token // missing at most, for one more to fit
	)
	scale := random.NewScale(1e9, 100_000)
	var admitted [sources]int64
	decisions := 0
	for b.Loop() {
		times, picks := random.New(1, 0, "times"), random.New(1, 0, "sources")
		missing, last := int64(0), int64(0)
		decisions = 0
		for at, fraction := scale.Advance(0, 0, times.Exponential()); at < end; decisions++ {
			missing = max(missing-(at-last), 0)
			last = at
			charge := token &^ ((room - missing) >> 63) // 0 where room < missing
			missing += charge
			admitted[picks.Below(sources)] += charge
			at, fraction = scale.Advance(at, fraction, times.Exponential())
		}
	}
	reportDecisions(b, decisions)
}

// BenchmarkKeys spreads the traffic of BenchmarkCentralTokenBucket, and its
// limit, over that many keys.
func BenchmarkKeys(b *testing.B) {
	for _, c := range []struct {
		keys   int
		policy string
	}{
		{1, "{limit: 50000/s, burst: 5000}"},
		{1_000, "{limit: 50/s, burst: 5}"},
		{1_000_000, "{limit: 3/min, burst: 1}"},
	} {
		b.Run(fmt.Sprint(c.keys), func(b *testing.B) {
			benchmarkTrial(b, fmt.Sprintf(`
version: 1
duration: 60s
scenarios:
  - name: many buckets
    policy: %s
    traffic: [{pattern: poisson, rate: 100000/s, keys: {uniform: {count: %d}}}]
    algorithms: [token-bucket]
`, c.policy, c.keys))
		})
	}
}

// BenchmarkBatchReported measures a fleet of 100 gateways and 1,000 keys.
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

// BenchmarkBatchReportedWith measures the same fleet with one option changed.
func BenchmarkBatchReportedWith(b *testing.B) {
	for _, c := range []struct{ name, topology, keys, algorithms string }{
		{"servers", "servers: 4, ", "uniform: {count: 1000}", "{preset: batch-reported}"},
		{"debts", "", "uniform: {count: 1000}", "{enforcement: batch-reported, counter: token-bucket, debt: true, burst: 0}"},
		{"rates", "", "uniform: {count: 1000}", "{preset: batch-reported, rejection_rate: true}"},
		{"locals", "", "uniform: {count: 1000}", "{preset: batch-reported, local_limit: {share: 1.5}}"},
		{"many-keys", "", "zipf: {count: 100000, s: 1.1}", "{preset: batch-reported}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmarkTrial(b, `
version: 1
duration: 2s
scenarios:
  - name: fleet
    policy: {limit: 500/s}
    topology: {clients: 100, `+c.topology+`network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: 1000000/s, keys: {`+c.keys+`}}]
    algorithms: [tested]
algorithms:
  tested: `+c.algorithms+`
`)
		})
	}
}

// BenchmarkWaitingRovers measures the event executor with callers that queue on a
// bucket.
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

// BenchmarkRetries measures up to two retries at twice the limit. It counts
// fresh requests as decisions; the time includes their retries.
func BenchmarkRetries(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 10s
scenarios:
  - name: retries
    policy: {limit: 100000/s, burst: 100}
    traffic: [{pattern: poisson, rate: 200000/s}]
    retries: {attempts: 2, backoff: {exponential: {base: 50ms, max: 2s}}}
    algorithms: [token-bucket]
`)
}
