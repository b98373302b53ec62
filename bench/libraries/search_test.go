package libraries

import (
	"slices"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

// TestSearch searches limiters whose differences are known.
func TestSearch(t *testing.T) {
	second := int64(time.Second)
	for _, tt := range []struct {
		name        string
		limiter     func(p gauge.Policy) exact
		toleranceNs int64
		calls       []call // nil if none differs
		offNs       int64
	}{
		{name: "the exact limiter", limiter: func(p gauge.Policy) exact { return fullBuckets(p, 1) }},
		{"one token too many", func(p gauge.Policy) exact {
			p.Burst++
			return fullBuckets(p, 1)
		}, 0, []call{{0, 0, 1}, {0, 0, 1}}, second},
		{"windows instead of a bucket", func(p gauge.Policy) exact {
			return counting.NewFixedWindows(limitOf(p), counting.WindowOptions{}, 1)
		}, coarse, []call{{0, 0, 1}, {0, 0, 1}}, 333_333_334},
		{"1 ns early", func(p gauge.Policy) exact { return &earlyByOne{fullBuckets(p, 1)} }, 0, []call{{0, 0, 1}, {second - 1, 0, 1}}, 1},
		{name: "1 ns early, within the tolerance", limiter: func(p gauge.Policy) exact { return &earlyByOne{fullBuckets(p, 1)} }, toleranceNs: coarse},
	} {
		l := library{name: tt.name, costs: true, promise: promise{exact: fullBuckets}, make: func(p gauge.Policy) any {
			limiter, start := tt.limiter(p), time.Now()
			return gauge.Func(func(now time.Time, _ string, cost int64) bool {
				return limiter.Take(0, int64(now.Sub(start)), cost).Admitted()
			})
		}}
		switch f := find(t, l, tt.toleranceNs); {
		case f == nil && tt.calls != nil:
			t.Errorf("%s: no call differs", tt.name)
		case f != nil && (!slices.Equal(f.calls, tt.calls) || f.offNs != tt.offNs):
			t.Errorf("%s: calls %v differ by %d ns; want %v, %d ns", tt.name, f.calls, f.offNs, tt.calls, tt.offNs)
		}
	}
}

// earlyByOne admits a request that a limiter would admit 1 ns later.
type earlyByOne struct{ exact }

func (e *earlyByOne) Take(key int32, now, cost int64) counting.Verdict {
	if free := e.RetryAt(key, now, cost); free == now+1 {
		now = free
	}
	return e.exact.Take(key, now, cost)
}
