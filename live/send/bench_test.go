package send

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// answerAll is a target that answers after a time.
type answerAll time.Duration

func (a answerAll) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	if a > 0 {
		time.Sleep(time.Duration(a))
	}
	return exchange.Plain(true), nil
}
func (answerAll) Close() error { return nil }

// atRate returns n requests at a constant rate.
func atRate(n int, perS int64) []exchange.Exchange {
	all := make([]exchange.Exchange, n)
	for i := range all {
		all[i].Request = exchange.Request{Number: int64(i), IntendedNs: int64(i) * 1e9 / perS, Key: "k", Cost: 1}
	}
	return all
}

// BenchmarkLateness sends for two seconds at each rate. An operation is a run.
func BenchmarkLateness(b *testing.B) {
	for _, perS := range []int64{200, 2000, 5000, 10_000, 20_000, 50_000, 100_000} {
		b.Run(fmt.Sprintf("%d", perS), func(b *testing.B) {
			for b.Loop() {
				r, err := Run(b.Context(), atRate(int(2*perS), perS), answerAll(0), Options{})
				if err != nil {
					b.Fatal(err)
				}
				q := r.Quality
				b.ReportMetric(float64(q.LatenessP50Ns)/1e3, "p50-us")
				b.ReportMetric(float64(q.LatenessP99Ns)/1e3, "p99-us")
				b.ReportMetric(float64(q.LatenessMaxNs)/1e3, "max-us")
				b.ReportMetric(q.SentPerS, "sent/s")
			}
		})
	}
}
