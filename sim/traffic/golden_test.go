package traffic

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// The first 20 arrivals of some plans as text. The traffic of a seed must not
// change unnoticed or differ between machines.
func TestGoldenArrivals(t *testing.T) {
	with := func(e scenarios.Traffic, change func(*scenarios.Traffic)) scenarios.Traffic {
		change(&e)
		return e
	}
	var text strings.Builder
	for _, c := range []struct {
		what    string
		entries []scenarios.Traffic
	}{
		{"poisson 100000/s, 100 uniform tenants", []scenarios.Traffic{
			with(poissonAt("traffic[0]", 100_000), func(e *scenarios.Traffic) { e.Tenants = uniform(100) })}},
		{"poisson 10/s, a million zipf keys, random spread, choice of costs", []scenarios.Traffic{
			with(poissonAt("traffic[0]", 10), func(e *scenarios.Traffic) {
				e.Keys, e.Spread = zipf(1_000_000, 1.1), choice("random", nil)
				e.Cost = choice("choice", catalog.Values{"values": value([]any{int64(1), int64(5)}), "weights": value([]any{int64(3), int64(1)})})
			})}},
		{"jittered 7/3s, hot key, spread by hash", []scenarios.Traffic{
			with(entry("constant", catalog.Values{"rate": rate(7, 3*second), "arrivals": value("jittered")}), func(e *scenarios.Traffic) {
				e.Keys, e.Spread = hot(9, 1, 4), choice("hash", nil)
			})}},
		{"bursty", []scenarios.Traffic{entry("bursty", catalog.Values{
			"rate_on": rate(500, second), "rate_off": rate(20, second), "mean_on": value(20 * millisecond), "mean_off": value(50 * millisecond)})}},
		{"poisson ramp and poisson sine, added up", []scenarios.Traffic{
			with(entry("ramp", catalog.Values{"rate": rate(0, second), "to_rate": rate(900, second), "arrivals": value("poisson")}), func(e *scenarios.Traffic) { e.To = second }),
			with(entry("sine", catalog.Values{"rate": rate(50, second), "amplitude": value(units.Fraction{Num: 1, Den: 2}), "period": value(second), "arrivals": value("poisson")}),
				func(e *scenarios.Traffic) { e.Name, e.Keys = "day", named("day") })}},
	} {
		p := prepare(t, Config{Entries: c.entries, Clients: 4, End: 60 * second})
		fmt.Fprintf(&text, "%s\n", c.what)
		for _, r := range collect(p.Open(1, 0), 20) {
			fmt.Fprintf(&text, "%12d %s %s %d %d\n", r.time, p.KeyName(int(r.key)), p.TenantName(int(r.tenant)), r.client, r.cost)
		}
	}
	golden.Compare(t, filepath.Join("testdata", "arrivals.golden"), []byte(text.String()))
}
