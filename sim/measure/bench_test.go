package measure

import (
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// BenchmarkBasic measures the recorder's part of the first performance target:
// 100 tenants on one key, twice the limit of 50,000/s, metric set basic, blocks
// of 1024.
func BenchmarkBasic(b *testing.B) { benchmarkBasic(b, 1) }

// BenchmarkBasicKeys spreads the same traffic over a thousand keys.
func BenchmarkBasicKeys(b *testing.B) { benchmarkBasic(b, 1000) }

const benchGap = 10_000 // ns between attempts

func benchmarkBasic(b *testing.B, keys int) {
	const n = 1024
	r := NewRecorder(Config{Policy: Policy{Limit: 50_000, Window: 1e9, Burst: 5_000, LargestCost: 1},
		Start: 0, End: 1 << 62, Keys: keys, Tenants: 100, Clients: 1,
	})
	f := randomBlock(n, keys)
	verdicts := make([]counting.Verdict, n)
	for i := range verdicts {
		verdicts[i] = counting.Verdict(f.Admitted[i])
	}
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += n {
		for i := range f.Time {
			f.Time[i] += n * benchGap
		}
		r.Flow(f)
		r.Immediate(Immediate{f.Time, f.Offered, verdicts, Settle(f.Offered, verdicts, f.Admitted)})
	}
}

func randomBlock(n, keys int) *Flow {
	draw := rand.New(rand.NewPCG(1, 2))
	f := &Flow{
		Time: make([]int64, n), Key: make([]int32, n), Tenant: make([]int32, n), Client: make([]int32, n),
		Offered: make([]int64, n), Admitted: make([]int64, n), Rejected: make([]int64, n), Reference: make([]int64, n),
	}
	for i := range f.Time {
		f.Time[i] = int64(i) * benchGap
		f.Key[i] = int32(draw.IntN(keys))
		f.Tenant[i] = int32(draw.IntN(100))
		f.Offered[i] = 1
		f.Admitted[i] = int64(draw.IntN(2))
		f.Rejected[i] = 1 - f.Admitted[i]
		f.Reference[i] = int64(draw.IntN(2))
	}
	return f
}

func TestBlocksDoNotAllocate(t *testing.T) {
	f := randomBlock(1024, 3)
	verdicts := make([]counting.Verdict, len(f.Time))
	r := NewRecorder(Config{Policy: Policy{Limit: 50_000, Window: 1e9, Burst: 5_000, LargestCost: 1}, End: 1e9, Keys: 3, Tenants: 100, Clients: 2})
	if n := testing.AllocsPerRun(10, func() {
		r.Flow(f)
		r.Immediate(Immediate{f.Time, f.Offered, verdicts, Settle(f.Offered, verdicts, f.Admitted)})
	}); n != 0 {
		t.Errorf("a block of the metric set basic allocates %v times", n)
	}
}
