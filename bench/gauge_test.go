package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
)

// TestGaugeSpeed prints what a decision takes through package gauge, beside the same
// bucket in the engine. A bubble needs a *testing.T, so this is no group of the table.
//
//	cd bench && go test -run TestGaugeSpeed -v .
func TestGaugeSpeed(t *testing.T) {
	if !testing.Verbose() || testing.Short() {
		t.Skip("prints times: run it with -v")
	}
	const decisions = 4_000_000
	file := filepath.Join(t.TempDir(), "speed.yaml")
	took := func(name string, rows ...gauge.Row) float64 {
		text := fmt.Sprintf("version: 1\nduration: 100s\nreplications: 1\nscenarios:\n  - {name: speed, policy: {limit: 20000/s, burst: 20000}, "+
			"traffic: [{pattern: poisson, rate: 40000/s}], algorithms: [%s]}\n", name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		gauge.Run(t, file, rows...)
		return float64(time.Since(start)) / decisions
	}
	took("token-bucket") // warms up
	engine := took("token-bucket")
	t.Logf("%-20s %6.1f ns  %5.1f million/s", "in the engine", engine, 1e3/engine)
	for _, row := range []gauge.Row{
		gauge.Use("now as an argument", floats(false), gauge.TakesNow()),
		gauge.Use("in a bubble", floats(true), gauge.ReadsClock()),
	} {
		ns := took(row.Name(), row)
		t.Logf("%-20s %6.1f ns  %5.1f million/s, %.1f times the engine's", row.Name(), ns, 1e3/ns, ns/engine)
	}
}

// floats makes token buckets in floats, which read the clock or take now.
func floats(reads bool) func(gauge.Policy) gauge.Limiter {
	return func(p gauge.Policy) gauge.Limiter {
		tokens, last := float64(p.Burst), time.Time{}
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
