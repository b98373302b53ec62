package send

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// admitAll is a target without a limit that answers at once.
var admitAll = answerFunc(func(context.Context, *exchange.Request) (exchange.Answer, error) {
	return exchange.Plain(true), nil
})

// measure sends requests at a constant rate for two seconds.
func measure(b *testing.B, perS int) Quality {
	r, err := Run(b.Context(), planned(2*perS, 1e9/time.Duration(perS)), admitAll, Options{})
	if err != nil {
		b.Fatal(err)
	}
	return r.Quality
}

// BenchmarkLateness reports how late requests are sent. An operation is a run of two
// seconds.
func BenchmarkLateness(b *testing.B) {
	for _, perS := range []int{200, 2000, 10_000} {
		b.Run(fmt.Sprint(perS), func(b *testing.B) {
			for b.Loop() {
				q := measure(b, perS)
				b.ReportMetric(float64(q.LatenessP50Ns)/1e3, "p50-us")
				b.ReportMetric(float64(q.LatenessP99Ns)/1e3, "p99-us")
				b.ReportMetric(float64(q.LatenessMaxNs)/1e3, "max-us")
			}
		})
	}
}

// BenchmarkHighestGoodRate reports the highest rate at which the sender is good for a
// window of one second. Rates grow by a quarter until it is not.
func BenchmarkHighestGoodRate(b *testing.B) {
	for b.Loop() {
		good := 0
		for perS := 10_000; perS < 2_000_000; perS += perS / 4 {
			q := measure(b, perS)
			if ok, _ := q.Good(1e9); !ok || q.SentPerS < 0.99*float64(perS) || q.HeldBack > 0 {
				break
			}
			good = perS
		}
		b.ReportMetric(float64(good), "requests/s")
	}
}
