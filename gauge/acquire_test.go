package gauge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// lawful is a limit on requests in flight by a law.
type lawful struct {
	law      concurrency.Law
	clock    func(now time.Time) time.Time
	inFlight int64
}

func (l *lawful) Limit() int { return int(l.law.Limit()) }

func (l *lawful) Acquire(now time.Time, _ string) (release func(time.Time, bool), ok bool) {
	if l.inFlight >= l.law.Limit() {
		return nil, false
	}
	l.inFlight++
	sent, with := l.clock(now), l.inFlight
	return func(now time.Time, good bool) {
		l.inFlight--
		end := l.clock(now)
		l.law.Answer(concurrency.Sample{Sent: sent.UnixNano(), RTT: int64(end.Sub(sent)), InFlight: with, Dropped: !good})
	}, true
}

const guarded = `
version: 1
duration: 5s
replications: 2
scenarios:
  - name: slow backend
    policy: {limit: 100/s, shared: true}
    topology: {clients: 2}
    traffic: [{pattern: poisson, rate: 500/s}]
    %s
    algorithms: [%s]
`

const guard = "guard: {concurrency: 4, service_time: {exponential: {mean: 10ms}}, deadline: 60ms, queue: 50, slow: [{from: 2s, to: 3s, factor: 4}]}"

// A limiter of requests in flight that is written in Go decides as the preset of the same
// law does, with the time of its argument or that of the clock.
func TestAcquirerIsThePreset(t *testing.T) {
	laws := map[string]func() concurrency.Law{
		"fixed": func() concurrency.Law { return concurrency.Fixed(7) },
		"aimd": func() concurrency.Law {
			return concurrency.NewAIMD(concurrency.Range{Initial: 20, Min: 20, Max: 200}, int64(5*time.Second))
		},
		"gradient2": func() concurrency.Law {
			return concurrency.NewGradient2(concurrency.Range{Initial: 20, Min: 20, Max: 200})
		},
	}
	var rows []gauge.Row
	var names []string
	for law, begin := range laws {
		rows = append(rows,
			gauge.Use("told-"+law, func(gauge.Policy) *lawful {
				return &lawful{law: begin(), clock: func(now time.Time) time.Time { return now }}
			}, gauge.PerClient(), gauge.TakesNow()),
			gauge.Use("reads-"+law, func(gauge.Policy) *lawful {
				return &lawful{law: begin(), clock: func(time.Time) time.Time { return time.Now() }}
			}, gauge.PerClient()))
		names = append(names, "told-"+law, "reads-"+law, map[bool]string{true: "fixed-7", false: law}[law == "fixed"])
	}
	text := strings.Replace(fmt.Sprintf(guarded, guard, strings.Join(names, ", ")), "scenarios:", "algorithms: {fixed-7: {preset: fixed-concurrency, limit: 7}}\nscenarios:", 1)
	file := filepath.Join(t.TempDir(), "guarded.yaml")
	write(t, file, text)
	d := resultstest.Decode(t, gauge.Run(t, file, rows...))
	for law := range laws {
		preset := map[bool]string{true: "fixed-7", false: law}[law == "fixed"]
		for _, metric := range []string{"good_answers", "late_answers", "failed_answers", "rejected_requests", "limit_mean", "limit_max", "goodput_lost_pct"} {
			want := simtest.Mean(t, d, "slow backend", preset, metric)
			for _, row := range []string{"told-" + law, "reads-" + law} {
				if got := simtest.Mean(t, d, "slow backend", row, metric); got != want || metric == "rejected_requests" && got == 0 {
					t.Errorf("%s of %s is %v, of the preset %v", metric, row, got, want)
				}
			}
		}
	}
}

// TestNoneRefused checks that a limiter that refuses nothing has no instant at which it
// refuses most.
func TestNoneRefused(t *testing.T) {
	if os.Getenv("GAUGE_TEST_NONE_REFUSED") == "" {
		out := inProcess(t, "^TestNoneRefused$", "GAUGE_TEST_NONE_REFUSED=1")
		if !strings.Contains(out, "no request was refused") || strings.Contains(out, "most requests refused") {
			t.Errorf("%s", out)
		}
		return
	}
	file := filepath.Join(t.TempDir(), "guarded.yaml")
	write(t, file, fmt.Sprintf(guarded, guard+"\n    expect: {mine: {goodput_lost_pct: '<= 1'}}", "mine"))
	gauge.Test(t, file, gauge.Use("mine", acquiring(func() {})))
}
