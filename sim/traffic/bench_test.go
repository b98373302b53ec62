package traffic

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// BenchmarkPoissonSources is the workload of the performance target: 100
// Poisson sources of 1,000/s each on one key.
func BenchmarkPoissonSources(b *testing.B) {
	e := entry("poisson", catalog.Values{"rate": rate(100_000, second)})
	e.Tenants = uniform(100)
	benchmark(b, Config{Entries: []scenarios.Traffic{e}, Clients: 8, End: 3600 * second})
}

// BenchmarkMillionZipfKeys draws each arrival's key from a million.
func BenchmarkMillionZipfKeys(b *testing.B) {
	e := entry("poisson", catalog.Values{"rate": rate(100_000, second)})
	e.Keys = zipf(1_000_000, 1.1)
	benchmark(b, Config{Entries: []scenarios.Traffic{e}, Clients: 8, End: 3600 * second})
}

// BenchmarkMerge adds up a hundred entries.
func BenchmarkMerge(b *testing.B) {
	var entries []scenarios.Traffic
	for i := range 100 {
		e := entry("poisson", catalog.Values{"rate": rate(1_000, second)})
		e.Name += string(rune('a' + i))
		entries = append(entries, e)
	}
	benchmark(b, Config{Entries: entries, Clients: 8, End: 3600 * second})
}

// benchmark reports nanoseconds per arrival.
func benchmark(b *testing.B, c Config) {
	p, err := Prepare(c)
	if err != nil {
		b.Fatal(err)
	}
	s, block := p.Open(1, 0), NewBlock()
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += block.N {
		if s.Fill(block); block.N == 0 {
			b.StopTimer()
			s = p.Open(1, 0)
			s.Fill(block)
			b.StartTimer()
		}
	}
}
