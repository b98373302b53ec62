//go:build network && unix

package rls

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/internal/testing/rlstest"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const dailyLimit = `
domain: shop
descriptors:
  - key: user
    rate_limit: {unit: day, requests_per_unit: 20}
`

// TestServerReplicas asks two replicas of envoyproxy/ratelimit, which count in one
// Redis server.
func TestServerReplicas(t *testing.T) {
	store := redistest.Start(t)
	replicas := rlstest.Start(t, store, 2, dailyLimit)
	options := map[string]any{"descriptors": []any{"user={key}"}}
	to := start(t, 4, options, replicas...)
	var wait sync.WaitGroup
	var admitted, rejected atomic.Int64
	for client := range int32(4) {
		wait.Go(func() {
			for range 12 {
				a, err := to.Ask(t.Context(), &exchange.Request{Key: "ann", Client: client, Cost: 1})
				switch {
				case err != nil:
					t.Error(err)
				case a.Admit:
					admitted.Add(1)
				default:
					rejected.Add(1)
				}
				if a.Remaining < 0 || a.Remaining > 19 || a.ResetNs <= 0 || a.ResetNs > 24*3600e9 || a.Presumed {
					t.Errorf("%+v", a)
				}
			}
		})
	}
	wait.Wait()
	if admitted.Load() != 20 || rejected.Load() != 28 {
		t.Errorf("%d admitted and %d rejected, want 20 and 28", admitted.Load(), rejected.Load())
	}
	if a, err := to.Ask(t.Context(), &exchange.Request{Key: "bob", Client: 1, Cost: 15}); err != nil || !a.Admit || a.Remaining != 5 {
		t.Errorf("a cost of 15: %+v, %v", a, err)
	}

	options["timeout"] = int64(20e6)
	brief := start(t, 1, options, replicas...)
	resume := store.Pause(t)
	if _, err := brief.Ask(t.Context(), &exchange.Request{Key: "eve", Cost: 1}); err == nil || err.Error() != "timeout" {
		t.Errorf("while the store stands still: %v, want timeout", err)
	}
	resume()
}
