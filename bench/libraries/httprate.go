package libraries

import (
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/go-chi/httprate"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/gauge"
)

func chiHTTPRate() library {
	return library{
		name: "httprate", module: "github.com/go-chi/httprate",
		settings: "httprate.NewRateLimiter(limit, window)", call: "OnLimit(w, r, key)",
		door: readsClock, keyed: true, costs: true,
		promise: promise{
			text: "`net/http` request rate limiter based on the Sliding Window Counter pattern inspired by CloudFlare",
			link: "https://github.com/go-chi/httprate#readme",
			kind: "sliding window counter, windows from when the limiter is made", exact: slidingCounters,
		},
		make: func(p gauge.Policy) any {
			l := httprate.NewRateLimiter(int(p.Limit), p.Window)
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			return gauge.Func(func(_ time.Time, key string, cost int64) bool {
				r := request
				if cost > 1 {
					r = r.WithContext(httprate.WithIncrement(r.Context(), int(cost)))
				}
				return !l.OnLimit(headers{}, r, key)
			})
		},
	}
}

func slidingCounters(p gauge.Policy, keys int) exact {
	return counting.NewSlidingCounters(limitOf(p), counting.WindowOptions{}, keys)
}

// headers is a ResponseWriter that keeps nothing but its headers.
type headers http.Header

func (h headers) Header() http.Header       { return http.Header(h) }
func (headers) Write(b []byte) (int, error) { return len(b), nil }
func (headers) WriteHeader(int)             {}
