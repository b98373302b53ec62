package patterns

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// BenchmarkInstants measures the time per arrival of each method. The rates do
// not divide a second, so that instants are rounded.
func BenchmarkInstants(b *testing.B) {
	odd, odder := rate(99_991, second), rate(49_999, second)
	for _, c := range []struct {
		name, pattern string
		options       catalog.Values
	}{
		{"poisson", "poisson", catalog.Values{"rate": odd}},
		{"constant", "constant", catalog.Values{"rate": odd}},
		{"jittered", "constant", catalog.Values{"rate": odd, "arrivals": value("jittered")}},
		{"ramp", "ramp", catalog.Values{"rate": odder, "to_rate": odd}},
		{"poisson-ramp", "ramp", catalog.Values{"rate": odder, "to_rate": odd, "arrivals": value("poisson")}},
		{"sine", "sine", catalog.Values{"rate": odder, "period": value(second)}},
		{"poisson-sine", "sine", catalog.Values{"rate": odder, "period": value(second), "arrivals": value("poisson")}},
		{"bursty", "bursty", catalog.Values{"rate_on": odd, "mean_on": value(millisecond), "mean_off": value(millisecond)}},
		{"gamma", "gamma", catalog.Values{"rate": odd, "cv": share(3, 1)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := build(b, c.pattern, c.options, Span{0, 60 * second})
			times := make([]int64, 1024)
			clock := p.Open(random.New(1, 0, "bench"))
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; {
				got := clock.Fill(times)
				if n += got; got < len(times) {
					b.StopTimer()
					clock = p.Open(random.New(1, 0, "bench"))
					b.StartTimer()
				}
			}
		})
	}
}
