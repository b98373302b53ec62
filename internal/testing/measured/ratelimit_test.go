//go:build network && unix

package measured

import (
	"os"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/internal/testing/rlstest"
)

// service returns a measurement of two replicas of envoyproxy/ratelimit.
func service(scenario, descriptors, figure string) measurement {
	return measurement{
		scenario: scenario, target: "rls", address: []string{"127.0.0.1:8085", "127.0.0.1:8086"},
		options: []string{"domain=shop", "descriptors=" + descriptors}, figure: figure,
	}
}

// patiently has a measurement wait longer for an answer than Envoy does.
func patiently(m measurement) measurement {
	m.options = append(m.options, "timeout=1s")
	return m
}

var (
	ratelimit = []measurement{
		patiently(service("ratelimit at its boundary", "hundred={run}-{key}", "worst_sliding_pct")).over(),
		patiently(service("ratelimit", "twenty={run}-{key}", "over_limit_pct")).keeps(),
	}
	ratelimitFrozen = service("ratelimit whose store stands still", "twenty={run}-{key}", "over_limit_pct").unknown()
)

func TestRatelimit(t *testing.T) {
	t.Parallel()
	starting(t)
	config, err := os.ReadFile("internal/testing/measured/testdata/ratelimit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	replicas := rlstest.Start(t, redistest.Start(t), 2, string(config))
	for _, m := range ratelimit {
		t.Run(m.scenario, func(t *testing.T) {
			t.Parallel()
			m.run(t, nil, replicas...)
		})
	}
	t.Run(ratelimitFrozen.scenario, func(t *testing.T) {
		t.Parallel()
		store := redistest.Start(t)
		replicas := rlstest.Start(t, store, 2, string(config))
		ratelimitFrozen.run(t, func() {
			resume := store.Pause(t)
			time.AfterFunc(1500*time.Millisecond, resume)
		}, replicas...)
	})
}
