package counting

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The workload of the project's speed target: 100,000 requests a second,
// exponentially spaced, against 50,000 a second with a burst of 5,000.
const (
	benchBlock = 1024
	benchSpan  = 64 * benchBlock
)

var benchLimit = Limit{Count: 50_000, Window: 1e9, Burst: 5_000}

// benchTraffic returns a segment of that traffic, spread over keys, and its length.
func benchTraffic(keys int) (r *requests, length int64) {
	random := rand.New(rand.NewPCG(1, 2))
	r = &requests{}
	for range benchSpan {
		length += int64(random.ExpFloat64() * 1e9 / 100_000)
		r.add(random.Int32N(int32(keys)), length, 1)
	}
	return r, length
}

// BenchmarkTakeBlock reports the nanoseconds of one decision in a block, for
// every counter: one key, and a thousand that share the limit.
func BenchmarkTakeBlock(b *testing.B) {
	for _, e := range Entries() {
		if IsQueue(e.Name) {
			continue
		}
		for _, keys := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/keys=%d", e.Name, keys), func(b *testing.B) {
				limit := benchLimit
				limit.Count /= int64(keys)
				limit.Burst /= int64(keys)
				table, err := New(e.Name, limit, options(), keys)
				if err != nil {
					b.Fatal(err)
				}
				r, length := benchTraffic(keys)
				verdicts := make([]Verdict, benchBlock)
				from := 0
				decide := func() {
					to := from + benchBlock
					table.TakeBlock(r.key[from:to], r.at[from:to], r.cost[from:to], verdicts)
					from = to % benchSpan
				}
				later := func() { // the traffic goes round and round
					for i := range r.at {
						r.at[i] += length
					}
				}
				for range 4 * benchSpan / benchBlock { // until every log has grown
					if decide(); from == 0 {
						later()
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					if decide(); from == 0 {
						b.StopTimer()
						later()
						b.StartTimer()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBlock, "ns/decision")
			})
		}
	}
}
