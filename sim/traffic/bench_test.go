package traffic

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// BenchmarkPoissonSources measures the workload of the performance target: 100
// Poisson sources of 1,000/s each on one key.
func BenchmarkPoissonSources(b *testing.B) {
	e := entry("poisson", catalog.Values{"rate": rate(100_000, second)})
	e.Tenants = uniform(100)
	benchmark(b, Config{Entries: []scenarios.Traffic{e}, Clients: 8, End: 3600 * second})
}

// BenchmarkMillionZipfKeys draws each arrival's key from a million keys.
func BenchmarkMillionZipfKeys(b *testing.B) {
	e := entry("poisson", catalog.Values{"rate": rate(100_000, second)})
	e.Keys = zipf(1_000_000, 1.1)
	benchmark(b, Config{Entries: []scenarios.Traffic{e}, Clients: 8, End: 3600 * second})
}

// BenchmarkMerge merges equal entries, very different entries, entries with the
// same instants, and entries with many arrivals per instant.
func BenchmarkMerge(b *testing.B) {
	poisson := func(int) scenarios.Traffic {
		return entry("poisson", catalog.Values{"rate": rate(1_000, second)})
	}
	for _, c := range []struct {
		name    string
		entries int
		entry   func(i int) scenarios.Traffic
	}{
		{"poisson-2", 2, poisson}, {"poisson-10", 10, poisson}, {"poisson-100", 100, poisson}, {"poisson-1000", 1000, poisson},
		{"one-fast-99-slow", 100, func(i int) scenarios.Traffic {
			if i == 50 {
				return entry("poisson", catalog.Values{"rate": rate(100_000, second)})
			}
			return entry("poisson", catalog.Values{"rate": rate(10, second)})
		}},
		{"constant-100", 100, func(int) scenarios.Traffic {
			return entry("constant", catalog.Values{"rate": rate(1_000, second)})
		}},
		{"bursty-100", 100, func(int) scenarios.Traffic {
			return entry("bursty", catalog.Values{"rate_on": rate(100_000, second), "mean_on": value(10 * millisecond), "mean_off": value(second)})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var entries []scenarios.Traffic
			for i := range c.entries {
				e := c.entry(i)
				e.Name += fmt.Sprint(i)
				entries = append(entries, e)
			}
			benchmark(b, Config{Entries: entries, Clients: 8, End: 3600 * second})
		})
	}
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

// BenchmarkEstimates compares costs that are known on arrival with those that become
// known with the answer, of one entry and in a merge.
func BenchmarkEstimates(b *testing.B) {
	known, settled := entry("poisson", catalog.Values{"rate": rate(10_000, second)}), entry("poisson", catalog.Values{"rate": rate(10_000, second)})
	known.Cost, settled.Cost = tokens(1, 500), estimated(tokens(1, 900), tokens(1, 500), 1, 2)
	settled.Answer = perToken(millisecond, 0)
	other := constantAt("other", 10_000)
	for _, c := range []struct {
		name    string
		entries []scenarios.Traffic
	}{
		{"known", []scenarios.Traffic{known}}, {"estimated", []scenarios.Traffic{settled}},
		{"merge-known", []scenarios.Traffic{known, other}}, {"merge-estimated", []scenarios.Traffic{settled, other}},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmark(b, Config{Entries: c.entries, Clients: 8, End: 3600 * second})
		})
	}
}
