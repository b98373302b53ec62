package leases

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestWantsAtFirst checks what a client asks for without an estimate: at first
// its part of the limit, and at least one request per refresh.
func TestWantsAtFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := counting.Limit{Count: rapid.Int64Range(1, 1e6).Draw(t, "count"), Window: rapid.Int64Range(1, 3600e9).Draw(t, "window"), Burst: 1}
		refresh, clients := rapid.Int64Range(1, 3600e9).Draw(t, "refresh"), rapid.IntRange(0, 50).Draw(t, "clients")
		values := catalog.WithDefaults(Entry().Fields, catalog.Values{"refresh": {V: refresh, Given: true}, "lease": {V: refresh, Given: true},
			"wants": {V: catalog.Choice{Name: "recent", Values: catalog.Values{"seconds": {V: int64(10)}}}}})
		c, err := ConfigFrom(values, limit, clients)
		if err != nil {
			t.Skip(err)
		}
		if want := c.Unit * limit.Count / int64(max(clients, 1)); c.FirstWants != want {
			t.Fatalf("a client of %d first wants %d, want %d", clients, c.FirstWants, want)
		}
		perWindow := new(big.Int).Mul(big.NewInt(c.Unit), big.NewInt(limit.Window))
		if want := min(max(perWindow.Div(perWindow, big.NewInt(refresh)).Int64(), 1), capacity.MostWants); c.LeastWants != want {
			t.Fatalf("a client wants at least %d, want %d", c.LeastWants, want)
		}
	})
}
