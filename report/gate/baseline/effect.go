package baseline

import (
	"fmt"
	"math"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Effect is the smallest change of a metric that counts: the larger of a share
// of the baseline's value and an amount in the metric's unit.
type Effect struct {
	Relative float64 // share of the baseline's mean: 0.01 is 1 %
	Absolute float64 // in the metric's unit: points for %, ms, requests
}

// text returns the effect as verdicts print it: "5 %" of the baseline's mean,
// "0.5" in the metric's unit, or the larger of both.
func (e Effect) text() string {
	share := format.Exact(100*e.Relative) + " %"
	switch {
	case e.Relative == 0:
		return format.Exact(e.Absolute)
	case e.Absolute == 0:
		return share
	}
	return "the larger of " + share + " and " + format.Exact(e.Absolute)
}

// of returns the effect in the figure's unit for a baseline's mean.
func (e Effect) of(base float64) float64 {
	return max(float64(e.Relative*math.Abs(base)), e.Absolute)
}

// reached reports whether a change counts. It ignores rounding in the last digits:
// from 10 to 10.1 is 0.1.
func (e Effect) reached(change, base float64) bool {
	return math.Abs(change) > rounding*math.Abs(base) && math.Abs(change) >= e.of(base)*(1-1e-9)
}

// rounding is the share of a figure that a change must exceed to be more than rounding.
const rounding = 1e-12

// DefaultEffect returns the effect of a metric without an explicit one: 1 % of the
// baseline's figure, and at least 0.1 percentage points, 0.1 requests, 0.1 ms or
// 0.1/s, or 0.001 if the unit is a ratio or seconds.
func DefaultEffect(unit string) Effect {
	switch unit {
	case "ratio", "share", "s":
		return Effect{Relative: 0.01, Absolute: 0.001}
	}
	return Effect{Relative: 0.01, Absolute: 0.1}
}

// Effects holds the smallest changes that count, by metric. The one of "" is for
// all other metrics; without it they have DefaultEffect.
type Effects map[string]Effect

// ParseEffects parses effects from the command line. "2%" is a share of the
// baseline's value, "0.5" is an amount in the metric's unit, and
// "over_limit_pct=0.5" is for that metric alone. If both a share and an amount
// are given, a change must reach both. If only one is given, the other one is
// 0. Without any effect, DefaultEffect applies.
func ParseEffects(list []string, registry []catalog.Metric) (Effects, error) {
	effects := Effects{}
	for _, text := range list {
		metric, number, named := strings.Cut(text, "=")
		if !named {
			metric, number = "", text
		}
		metric, number = strings.TrimSpace(metric), strings.TrimSpace(number)
		if named && catalog.Find(registry, metric) == nil {
			return nil, fmt.Errorf("%q: no metric is called %q%s", text, metric, scenarios.Suggest(metric, catalog.Names(registry)))
		}
		share, isShare := strings.CutSuffix(number, "%")
		x, err := units.ParseDecimal(strings.TrimSpace(share))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		if x < 0 {
			return nil, fmt.Errorf("%q is below 0", text)
		}
		e := effects[metric]
		if isShare {
			e.Relative = x / 100
		} else {
			e.Absolute = x
		}
		effects[metric] = e
	}
	return effects, nil
}

// For returns the effect of a metric.
func (e Effects) For(m catalog.Metric) Effect {
	if one, stated := e.stated(m); stated {
		return one
	}
	return DefaultEffect(m.Unit)
}

// stated returns the effect that is stated for a metric, or for all others.
func (e Effects) stated(m catalog.Metric) (one Effect, ok bool) {
	if one, ok = e[m.Name]; !ok {
		one, ok = e[""]
	}
	return one, ok
}
