package counter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// A bucket of five requests a second that admits two at once.
func Example() {
	bucket, err := counter.New(counter.Limit{Count: 5, Window: time.Second, Burst: 2}, counter.TokenBucket{})
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // a program passes time.Now()
	for range 3 {
		fmt.Println(bucket.Take(now, 1), bucket.RetryAfter(now, 1))
	}
	fmt.Println("200ms later:", bucket.Take(now.Add(200*time.Millisecond), 1))
	// Output:
	// true 0s
	// true 200ms
	// false 200ms
	// 200ms later: true
}

// limited serves what next serves, within a limit for each API key. A request above it
// gets 429 and the time to wait in whole seconds. A request without a key shares the
// counter of the key "".
func limited(next http.Handler, limits *counter.Keyed[string], clock func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, key := clock(), r.Header.Get("X-Api-Key")
		if limits.Take(now, key, 1) {
			next.ServeHTTP(w, r)
			return
		}
		if wait := limits.RetryAfter(now, key, 1); wait >= 0 {
			seconds := (wait + time.Second - 1) / time.Second // rounded up
			w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
		}
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	})
}

// A middleware with a counter for each key, of which it holds at most a million.
func ExampleKeyed() {
	limits, err := counter.NewKeyed[string](counter.Limit{Count: 2, Window: 10 * time.Second}, counter.FixedWindow{}, 1_000_000)
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // a program passes time.Now as the clock
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	server := limited(hello, limits, func() time.Time { return now })
	for _, key := range []string{"alice", "alice", "alice", "bob"} {
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set("X-Api-Key", key)
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, request)
		fmt.Printf("%s %d %q\n", key, answer.Code, answer.Header().Get("Retry-After"))
	}
	fmt.Println(limits.Stats().Keys, "keys")
	// Output:
	// alice 200 ""
	// alice 200 ""
	// alice 429 "10"
	// bob 200 ""
	// 2 keys
}
