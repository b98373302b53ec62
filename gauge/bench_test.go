package gauge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
)

// TestSpeed reports how many decisions a second limiters make through gauge. Run it
// with -v: a bubble needs a *testing.T, so this cannot be a benchmark.
func TestSpeed(t *testing.T) {
	if !testing.Verbose() || testing.Short() {
		t.Skip("prints times: run it with -v")
	}
	file := filepath.Join(t.TempDir(), "speed.yaml")
	for _, row := range []gauge.Row{
		gauge.Use("argument", bucket(false), gauge.TakesNow()), gauge.Use("bubble", bucket(true), gauge.ReadsClock()),
	} {
		text := fmt.Sprintf("version: 1\nduration: 100s\nreplications: 1\nscenarios:\n  - {name: speed, policy: {limit: 20000/s, burst: 20000}, "+
			"traffic: [{pattern: poisson, rate: 40000/s}], algorithms: [%s]}\n", row.Name())
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		gauge.Run(t, file, row)
		took := time.Since(start)
		t.Logf("%-8s %.2f million decisions/s", row.Name(), 4/took.Seconds())
	}
}

// bucket makes token buckets in floats of any key.
func bucket(reads bool) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		var tokens = float64(p.Burst)
		var last time.Time
		return gauge.Func(func(now time.Time, _ string, cost int64) bool {
			if reads {
				now = time.Now()
			}
			if !last.IsZero() {
				tokens = min(float64(p.Burst), tokens+now.Sub(last).Seconds()*p.Rate())
			}
			last = now
			if tokens < float64(cost) {
				return false
			}
			tokens -= float64(cost)
			return true
		})
	}
}
