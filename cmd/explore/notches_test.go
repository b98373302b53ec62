package explore

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestNotchesOfShares checks that a share of at most one has notches near both ends, which
// rise.
func TestNotchesOfShares(t *testing.T) {
	spread := catalog.Find(scenarios.DescriptorFields(), "applies")
	got := notches(spread, nil)
	for _, want := range []string{"1%", "99%", "100%"} {
		if !slices.Contains(got, want) {
			t.Errorf("no notch at %s: %q", want, got)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b string) int {
		x, _ := numberOf(spread, a)
		y, _ := numberOf(spread, b)
		if x < y {
			return -1
		}
		return 1
	}) {
		t.Errorf("notches do not rise: %q", got)
	}
}
