package cmd_test

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/cmd"
	"github.com/limitgauge/limitgauge/gauge"
)

// Main makes a command with a limiter of one's own:
//
//	go run . run scenarios.yaml
//	go run . compare base.json results.json
func ExampleMain() {
	cmd.Main(gauge.Use("mine", newRate, gauge.PerKey()))
}

func newRate(p gauge.Policy) gauge.Func {
	l := rate.NewLimiter(rate.Limit(p.Rate()), int(p.Burst))
	return func(now time.Time, _ string, cost int64) bool { return l.AllowN(now, int(cost)) }
}
