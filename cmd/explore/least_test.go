package explore

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestLeastDuration checks that a preview is long enough for the warm-up and two windows, and
// for a window after each time that the scenario plans before its end.
func TestLeastDuration(t *testing.T) {
	const second = units.Second
	traffic := func(from, to int64, option string, value any) func(*scenarios.Scenario) {
		return func(s *scenarios.Scenario) {
			s.Traffic = []scenarios.Traffic{{From: from * second, To: to * second, Options: catalog.Values{option: {V: value}}}}
		}
	}
	for name, c := range map[string]struct {
		plan func(*scenarios.Scenario)
		want int64 // s
	}{
		"nothing":                        {func(*scenarios.Scenario) {}, 9},
		"early traffic":                  {traffic(1, 2, "", nil), 9},
		"traffic begins":                 {traffic(20, 0, "", nil), 23},
		"traffic ends":                   {traffic(20, 30, "", nil), 33},
		"traffic ends with the scenario": {traffic(0, 100, "", nil), 9},
		"traffic ends later":             {traffic(0, 101, "", nil), 100},
		"a step":                         {traffic(0, 0, "at", 40*second), 43},
		"a ramp begins":                  {traffic(0, 0, "from", 41*second), 44},
		"a ramp ends":                    {traffic(0, 0, "to", 42*second), 45},
		"a herd ends":                    {traffic(0, 0, "until", 43*second), 46},
		"another option":                 {traffic(0, 0, "period", 44*second), 9},
		"an option that is no time":      {traffic(0, 0, "at", "44s"), 9},
		"a fault begins": {func(s *scenarios.Scenario) {
			s.Faults = []scenarios.Fault{{From: 50 * second}}
		}, 53},
		"a fault ends": {func(s *scenarios.Scenario) {
			s.Faults = []scenarios.Fault{{From: 50 * second, To: 60 * second}, {From: 10 * second, To: 20 * second}}
		}, 63},
		"the backend is slow": {func(s *scenarios.Scenario) {
			s.Guard = &scenarios.Guard{Slow: []scenarios.SlowPeriod{{From: 1, To: 70 * second}}}
		}, 73},
	} {
		s := &scenarios.Scenario{Duration: 100 * second, Warmup: 3 * second, Policy: scenarios.Policy{Reference: scenarios.Reference{Limit: units.Rate{Count: 1, Per: 3 * second}}}}
		c.plan(s)
		if got := leastDuration(s); got != c.want*second {
			t.Errorf("%s: %s, want %d s", name, units.FormatDuration(got), c.want)
		}
	}
}
