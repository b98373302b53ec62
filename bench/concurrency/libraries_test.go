// Package concurrency compares the laws of limits on concurrency with Go libraries, and
// judges these libraries as package gauge does.
package concurrency

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/adaptivelimiter"
	"github.com/platinummonkey/go-concurrency-limits/core"
	"github.com/platinummonkey/go-concurrency-limits/limit"
	"github.com/platinummonkey/go-concurrency-limits/limiter"
	"github.com/platinummonkey/go-concurrency-limits/strategy"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/gauge"
)

const ms = int64(time.Millisecond)

// half is a source of random bits whose jitter is the least: a probe after 15 limits.
type half struct{}

func (half) Uint64() uint64 { return 0 }

// The port of Netflix' laws to Go moves the limit as the laws here do where both follow
// Netflix. It does not: AIMD grows at the whole limit in flight instead of the half, and
// Gradient2 has a tolerance of 1 instead of 1.5 and forgets a tenth instead of a twentieth
// after a fall, so it is left out. Vegas grows fast with fewer requests waiting than the
// logarithm of the limit, Netflix' also with as many. Its probes come at drawn times, so it is
// compared until the first one.
func TestLawsOfThePort(t *testing.T) {
	for seed := range uint64(200) {
		draws := rand.New(rand.NewPCG(seed, 1))
		aimd, ported := concurrency.NewAIMD(concurrency.Range{Initial: 20, Min: 10, Max: 1_000_000}, 1<<62), limit.NewAIMDLimit("", 20, 0.9, 1, nil)
		vegas, portedVegas := concurrency.NewVegas(concurrency.Range{Initial: 20, Min: 1, Max: 1000}, half{}), limit.NewDefaultVegasLimit("", nil, nil)
		lowest, least, probed := vegas.Limit(), int64(math.MaxInt64), false
		for i := range int64(2000) {
			now, dropped := i*ms, draws.IntN(10) == 0
			rtt := ms * (5 + draws.Int64N(20))
			at := aimd.Limit()
			if at <= 12 {
				dropped = false // Netflix has a floor, the port takes one at least
			}
			inFlight := []int64{at / 3, at + draws.Int64N(3)}[draws.IntN(2)]
			aimd.Answer(concurrency.Sample{Sent: now, RTT: rtt, InFlight: inFlight, Dropped: dropped})
			ported.OnSample(now, rtt, int(inFlight), dropped)
			if got := int64(ported.EstimatedLimit()); got != aimd.Limit() {
				t.Fatalf("seed %d, sample %d: the limit of aimd is %d, of the port %d", seed, i, aimd.Limit(), got)
			}
			if probed = probed || i+1 >= 15*lowest; probed {
				continue
			}
			limit := float64(vegas.Limit())
			if least = min(least, rtt); math.Ceil(limit*(1-float64(least)/float64(rtt))) == max(1, math.Floor(math.Log10(limit))) {
				continue
			}
			inFlight = draws.Int64N(2*vegas.Limit() + 1)
			vegas.Answer(concurrency.Sample{Sent: now, RTT: rtt, InFlight: inFlight, Dropped: dropped})
			portedVegas.OnSample(now, rtt, int(inFlight), dropped)
			if lowest = min(lowest, vegas.Limit()); i+1 >= 15*lowest {
				continue // a probe may be due: the last sample was perhaps one
			}
			if got := int64(portedVegas.EstimatedLimit()); got != vegas.Limit() {
				t.Fatalf("seed %d, sample %d: the limit of vegas is %d, of the port %d", seed, i, vegas.Limit(), got)
			}
		}
	}
}

// ported is a limiter of the port with one of its laws, which reads the clock.
type ported struct {
	limiter core.Limiter
	law     core.Limit
}

func newPorted(law core.Limit) *ported {
	l, err := limiter.NewDefaultLimiter(law, 1e9, 1e9, 1e5, 10, strategy.NewSimpleStrategy(law.EstimatedLimit()), nil, core.EmptyMetricRegistryInstance)
	if err != nil {
		panic(err)
	}
	return &ported{l, law}
}

func (p *ported) Limit() int { return p.law.EstimatedLimit() }

func (p *ported) Acquire(time.Time, string) (release func(time.Time, bool), ok bool) {
	listener, ok := p.limiter.Acquire(context.Background())
	return func(_ time.Time, good bool) {
		if good {
			listener.OnSuccess()
		} else {
			listener.OnDropped()
		}
	}, ok
}

// failsafe is the adaptive limiter of failsafe-go.
type failsafe struct {
	limiter adaptivelimiter.AdaptiveLimiter[any]
}

func (f failsafe) Limit() int { return f.limiter.Limit() }

func (f failsafe) Acquire(time.Time, string) (release func(time.Time, bool), ok bool) {
	permit, ok := f.limiter.TryAcquirePermit()
	return func(_ time.Time, good bool) {
		if good {
			permit.Record()
		} else {
			permit.Drop()
		}
	}, ok
}

const scenario = `
version: 1
duration: 40s
warmup: 5s
replications: 2
scenarios:
  - name: slow backend
    policy: {limit: 400/s, burst: 20, shared: true}
    traffic: [{pattern: poisson, rate: 300/s}]
    guard: {concurrency: 8, service_time: {exponential: {mean: 20ms}}, deadline: 100ms, slow: [{from: 15s, to: 25s, factor: 4}]}
    algorithms: [token-bucket, aimd, vegas, gradient2, port-aimd, port-vegas, port-gradient2, failsafe-go]
`

// Limiters of libraries run in virtual time, in front of a backend that slows down.
func TestLibraries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "slow.yaml")
	if err := os.WriteFile(file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []gauge.Row{
		gauge.Use("port-aimd", func(gauge.Policy) *ported { return newPorted(limit.NewDefaultAIMDLimit("", nil)) }),
		gauge.Use("port-vegas", func(gauge.Policy) *ported { return newPorted(limit.NewDefaultVegasLimit("", nil, nil)) }, gauge.Draws()),
		gauge.Use("port-gradient2", func(gauge.Policy) *ported { return newPorted(limit.NewDefaultGradient2Limit("", nil, nil)) }),
		gauge.Use("failsafe-go", func(gauge.Policy) failsafe {
			return failsafe{adaptivelimiter.NewWithDefaults[any]()}
		}),
	}
	document := gauge.Run(t, file, rows...)
	var d struct {
		Results []struct {
			Algorithm string `json:"algorithm"`
			Verdict   string `json:"verdict"`
			Metrics   map[string]struct {
				Mean *float64 `json:"mean"`
			} `json:"metrics"`
		} `json:"results"`
	}
	if err := json.NewDecoder(bytes.NewReader(document)).Decode(&d); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range d.Results {
		figure := func(metric string) float64 {
			if x := r.Metrics[metric].Mean; x != nil {
				return *x
			}
			return -1
		}
		t.Logf("%-15s %-10s goodput %6.1f/s, loses %5.2f %%, refuses %5.2f %%, limit %5.1f", r.Algorithm, r.Verdict, figure("goodput_per_s"), figure("goodput_lost_pct"), figure("rejected_pct"), figure("limit_mean"))
		for _, row := range rows {
			if row.Name() != r.Algorithm {
				continue
			}
			seen++
			if sum := figure("good_answers") + figure("late_answers") + figure("failed_answers") + figure("rejected_requests"); sum != figure("offered_requests") || figure("good_answers") <= 0 || figure("limit_mean") < 1 {
				t.Errorf("%s: %v of %v requests are accounted for, a limit of %v", r.Algorithm, sum, figure("offered_requests"), figure("limit_mean"))
			}
		}
	}
	if seen != len(rows) {
		t.Errorf("%d rows of libraries, want %d", seen, len(rows))
	}
}
