package bounds

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// A run of 100,000 requests.
func BenchmarkJudge(b *testing.B) {
	s := setup{algorithm: "fixed-window", limit: counting.Limit{Count: 1000, Window: 1e9, Burst: 100}, ratePct: 200, windows: 50, maxCost: 1, oneWayNs: 50e3, giveUpNs: 1e9, lostPct: 1}
	v := s.run()
	for kind, name := range []string{"sliding", "calendar", "bucket"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Judge(v.exchanges, NewSettings(s.limit, Kind(kind))); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(v.exchanges)), "ns/request")
		})
	}
}

// A run of 1,000,000 requests of one key.
func BenchmarkFigures(b *testing.B) {
	s := setup{algorithm: "fixed-window", limit: counting.Limit{Count: 10_000, Window: 1e9, Burst: 1000}, ratePct: 200, windows: 50, maxCost: 1, oneWayNs: 50e3, giveUpNs: 1e9, lostPct: 1}
	v := s.run()
	for kind, name := range []string{"sliding", "calendar", "bucket"} {
		settings := NewSettings(s.limit, Kind(kind))
		rep, err := Judge(v.exchanges, settings)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Figures(v.exchanges, settings, rep); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(v.exchanges)), "ns/request")
		})
	}
}
