package http

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/send"
)

// BenchmarkLateness reports how late requests are sent at 2,000/s, and how long the
// answers take, to a server in this process. An operation is a run of two seconds.
func BenchmarkLateness(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	target, err := Kind().Open(b.Context(), setting(s.URL), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer target.Close()
	for b.Loop() {
		r, err := send.Run(b.Context(), planned(4000, time.Second/2000), target, send.Options{})
		if err != nil {
			b.Fatal(err)
		}
		q := r.Quality
		b.ReportMetric(float64(q.LatenessP50Ns)/1e3, "p50-us")
		b.ReportMetric(float64(q.LatenessP99Ns)/1e3, "p99-us")
		b.ReportMetric(float64(q.LatenessMaxNs)/1e3, "max-us")
		var answering int64
		for _, e := range r.Exchanges {
			answering += e.AnsweredNs - e.SentNs
		}
		b.ReportMetric(float64(answering)/float64(len(r.Exchanges))/1e3, "mean-answer-us")
	}
}
