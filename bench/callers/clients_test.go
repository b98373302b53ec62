package callers

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/hashicorp/go-retryablehttp"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/limitgauge/limitgauge/algorithms/callers"
)

// tolerance is how far the times of a client that counts in floats may be from exact
// ones.
const (
	tolerance = int64(time.Microsecond)
	second    = int64(time.Second)
)

// sequences is the number of drawn sequences of calls for each client.
const sequences = 40

// equal compares the times of attempts, in ns since the first one.
func equal(t *testing.T, client string, got, want []int64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s makes %d attempts, want %d", client, len(got), len(want))
	}
	for i := range got {
		if d := got[i] - want[i]; d < -tolerance || d > tolerance {
			t.Fatalf("%s makes attempt %d at %d ns, want %d", client, i, got[i], want[i])
		}
	}
}

// below is for waits that draw nothing.
func below(uint64) uint64 { panic("a wait draws") }

// refusing is a server that refuses all requests. It names the times to wait in turn, and
// none where they are negative.
type refusing struct {
	names []time.Duration
	start time.Time
	times []int64
}

func (r *refusing) RoundTrip(*http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}
	if i := len(r.times); i < len(r.names) && r.names[i] >= 0 {
		seconds := (r.names[i] + time.Second - 1) / time.Second
		resp.Header.Set("Retry-After", strconv.Itoa(int(seconds)))
	}
	r.times = append(r.times, int64(time.Since(r.start)))
	return resp, nil
}

// TestRetryableHTTP compares go-retryablehttp: its exponential waits, and those that the
// server names with the header Retry-After. The exponent counts all retries.
func TestRetryableHTTP(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range sequences {
		least, most := time.Duration(1+rng.Int64N(2e9)), time.Duration(2e9+rng.Int64N(60e9))
		names := make([]time.Duration, 1+rng.IntN(12))
		for i := range names {
			if names[i] = -1; rng.IntN(2) == 0 {
				names[i] = time.Duration(rng.Int64N(100e9))
			}
		}
		rule := callers.RetryAfter{WholeSeconds: true, Otherwise: callers.New(callers.Backoff{Base: int64(least), Max: int64(most), Factor: [2]int64{2, 1}})}
		want := []int64{0}
		for k, name := range names {
			named := int64(name)
			if name < 0 {
				named = callers.Never
			}
			wait, again := rule.Wait(named, k, 0, below)
			if !again {
				t.Fatal("the client has given up")
			}
			want = append(want, want[k]+wait)
		}
		synctest.Test(t, func(t *testing.T) {
			server := &refusing{names: names, start: time.Now()}
			c := retryablehttp.NewClient()
			c.HTTPClient, c.Logger = &http.Client{Transport: server}, nil
			c.RetryWaitMin, c.RetryWaitMax, c.RetryMax = least, most, len(names)
			if _, err := c.Get("http://limited.test/"); err == nil {
				t.Fatal("a request that is always refused has succeeded")
			}
			equal(t, "go-retryablehttp", server.times, want)
		})
	}
}

// TestRetryableHTTPDefaults states the waits of a client without settings: 1, 2, 4 and 8 s.
func TestRetryableHTTPDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, c := &refusing{start: time.Now()}, retryablehttp.NewClient()
		c.HTTPClient, c.Logger = &http.Client{Transport: server}, nil
		_, err := c.Get("http://limited.test/")
		if err == nil {
			t.Fatal("a request that is always refused has succeeded")
		}
		equal(t, "go-retryablehttp", server.times, []int64{0, 1e9, 3e9, 7e9, 15e9})
	})
}

var errRefused = errors.New("refused")

// TestBackoff compares cenkalti/backoff: exactly without its random part, and with it by
// the bounds of each wait.
func TestBackoff(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range sequences {
		b := backoff.NewExponentialBackOff()
		base, most, factor := int64(5e8), int64(60e9), [2]int64{3, 2}
		if i > 0 { // the defaults first
			base, most, factor = 1e6+rng.Int64N(2e9), 2e9+rng.Int64N(60e9), [2]int64{11 + rng.Int64N(40), 10}
			b.InitialInterval, b.MaxInterval, b.Multiplier = time.Duration(base), time.Duration(most), float64(factor[0])/10
		}
		jitter := callers.NoJitter
		if i%2 == 1 {
			jitter = callers.Around
		} else {
			b.RandomizationFactor = 0
		}
		own := callers.New(callers.Backoff{Base: base, Max: most, Factor: factor, Jitter: jitter, Around: [2]int64{1, 2}})
		synctest.Test(t, func(t *testing.T) {
			start, times := time.Now(), []int64{}
			_, err := backoff.Retry(t.Context(), func() (int, error) {
				times = append(times, int64(time.Since(start)))
				return 0, errRefused
			}, backoff.WithBackOff(b), backoff.WithMaxTries(20), backoff.WithMaxElapsedTime(0))
			if !errors.Is(err, errRefused) {
				t.Fatal(err)
			}
			want := []int64{0}
			for k := range 19 {
				wait := own.Span(k)
				if jitter == callers.Around { // the draw cannot be known: it must be one of ours
					lowest := own.Wait(k, 0, func(uint64) uint64 { return 0 })
					highest := own.Wait(k, 0, func(n uint64) uint64 { return n - 1 })
					wait = min(max(times[k+1]-times[k], lowest), highest)
				}
				want = append(want, want[k]+wait)
			}
			equal(t, "cenkalti/backoff", times, want)
		})
	}
}

// paced calls in the order of gaps, each in a goroutine of its own, and returns when the
// calls are sent, in order.
func paced(gaps []int64, wait func(i int) error) (sent []int64, err error) {
	start := time.Now()
	var mu sync.Mutex
	var calls sync.WaitGroup
	for i, gap := range gaps {
		time.Sleep(time.Duration(gap))
		synctest.Wait() // a call of the same instant has taken its tokens
		calls.Go(func() {
			e := wait(i)
			mu.Lock()
			defer mu.Unlock()
			sent, err = append(sent, int64(time.Since(start))), errors.Join(err, e)
		})
	}
	calls.Wait()
	slices.Sort(sent)
	return sent, err
}

// wanted returns when a pace sends these calls, in order.
func wanted(gaps, tokens []int64, perSecond, burst int64) (sent []int64) {
	p, now := callers.NewPace(perSecond, second, burst), int64(0)
	for i, gap := range gaps {
		now += gap
		sent = append(sent, now+p.Reserve(now, tokens[i]))
	}
	slices.Sort(sent)
	return sent
}

// drawn returns calls: the times between them, and what each costs, at most the burst.
func drawn(rng *rand.Rand, mean, burst int64) (gaps, tokens []int64) {
	for range 1 + rng.IntN(60) {
		gap := int64(0)
		if rng.IntN(3) > 0 {
			gap = rng.Int64N(2 * mean)
		}
		gaps, tokens = append(gaps, gap), append(tokens, 1+rng.Int64N(burst))
	}
	return gaps, tokens
}

// TestXTimeRate compares golang.org/x/time/rate, whose calls cost several tokens.
func TestXTimeRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range sequences {
		perSecond, burst := 1+rng.Int64N(500), 1+rng.Int64N(30)
		gaps, tokens := drawn(rng, second*burst/perSecond, burst)
		synctest.Test(t, func(t *testing.T) {
			r := rate.NewLimiter(rate.Limit(perSecond), int(burst))
			sent, err := paced(gaps, func(i int) error { return r.WaitN(context.Background(), int(tokens[i])) })
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "x/time/rate", sent, wanted(gaps, tokens, perSecond, burst))
		})
	}
}

// TestClientGo compares the flow control of client-go, whose calls cost one token, and
// states kubernetes/client-go#564: 80 requests at 5 a second, burst 10, take 14 s.
func TestClientGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range sequences {
		perSecond, burst := 1+rng.Int64N(100), 1+rng.Int64N(30)
		gaps, tokens := drawn(rng, second/perSecond, 1)
		if i == 0 {
			perSecond, burst, gaps, tokens = 5, 10, make([]int64, 80), slices.Repeat([]int64{1}, 80)
		}
		synctest.Test(t, func(t *testing.T) {
			r := flowcontrol.NewTokenBucketRateLimiter(float32(perSecond), int(burst))
			sent, err := paced(gaps, func(int) error { r.Accept(); return nil })
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "client-go", sent, wanted(gaps, tokens, perSecond, burst))
			if last := sent[len(sent)-1]; i == 0 && last != 14*second {
				t.Fatalf("80 requests take %d ns, want 14 s", last)
			}
		})
	}
}
