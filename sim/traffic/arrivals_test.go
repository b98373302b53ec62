package traffic

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestArrivals compares the estimate with what a plan sends: few arrivals are
// counted, the rate of many is taken from the first.
func TestArrivals(t *testing.T) {
	late := constantAt("late", 100)
	late.From, late.To = second/2, second*3/4
	few := entry("list", catalog.Values{"events": value([]any{catalog.Values{"at": value(400 * millisecond), "count": value(int64(2500))}})})
	herd := entry("list", catalog.Values{"events": value([]any{catalog.Values{"at": value(int64(0)), "count": value(int64(300_000))}, catalog.Values{"at": value(second - 1), "count": value(int64(1))}})})
	for _, c := range []struct {
		entries []scenarios.Traffic
		end     int64
		want    float64
		within  float64
	}{
		{[]scenarios.Traffic{constantAt("a", 1000), few, late}, second, 3525, 0},
		{[]scenarios.Traffic{constantAt("a", 1_000_000)}, 100 * second, 1e8, 1e5},
		{[]scenarios.Traffic{poissonAt("a", 1_000_000), constantAt("b", 10)}, 3600 * second, 3.6e9, 0.1e9},
		{[]scenarios.Traffic{constantAt("none", 0)}, second, 0, 0},
		{[]scenarios.Traffic{herd}, second, 300_000, 40_000},
	} {
		p := prepare(t, Config{Entries: c.entries, Clients: 1, End: c.end})
		if got := p.Arrivals(c.end); math.Abs(got-c.want) > c.within {
			t.Errorf("%s and %d more: %.0f arrivals are expected, want %.0f ±%.0f", c.entries[0].Name, len(c.entries)-1, got, c.want, c.within)
		}
	}
}
