package theory

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestTimeOf compares the mean and the variance of each distribution with those of
// 200,000 of its quantiles. A distribution is set by its percentiles.
func TestTimeOf(t *testing.T) {
	normal := func(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) }
	for name, c := range map[string]struct {
		fields   map[string]int64 // ns
		quantile func(u float64) float64
	}{
		"constant":    {map[string]int64{"time": 3e9}, func(float64) float64 { return 3 }},
		"exponential": {map[string]int64{"p99": 5e9}, func(u float64) float64 { return 5 * math.Log(1-u) / math.Log(0.01) }},
		"lognormal":   {map[string]int64{"p50": 2e9, "p99": 10e9}, func(u float64) float64 { return 2 * math.Pow(5, normal(u)/normal(0.99)) }},
	} {
		values := catalog.Values{}
		for field, ns := range c.fields {
			values[field] = catalog.Value{V: ns, Given: true}
		}
		const n = 200_000
		sum, squares := 0.0, 0.0
		for i := range n {
			x := c.quantile((float64(i) + 0.5) / n)
			sum += x
			squares += x * x
		}
		mean := sum / n
		variance := squares/n - mean*mean
		got := TimeOf(catalog.Choice{Name: name, Values: values})
		if math.Abs(got.Mean-mean) > 1e-4*mean || math.Abs(got.Variance-variance) > 1e-3*(variance+1e-6) || math.Abs(got.P99-c.quantile(0.99)) > 1e-9 {
			t.Errorf("%s: %+v, want a mean of %g, a variance of %g and a p99 of %g", name, got, mean, variance, c.quantile(0.99))
		}
	}
}

// steady returns a scenario for which every form holds.
func steady() *scenarios.Scenario {
	named := func(name string) catalog.Choice { return catalog.Choice{Name: name} }
	return &scenarios.Scenario{
		Duration: 10,
		Traffic:  []scenarios.Traffic{{Pattern: "poisson", To: 10, Keys: named("one"), Spread: named("even"), Cost: named("constant")}},
	}
}

// TestOneDifferenceIsOneReason changes a scenario for which every form holds in one respect
// after the other: each has its own reason, or none if the forms hold all the same.
func TestOneDifferenceIsOneReason(t *testing.T) {
	const none, network, traffic = "", "given for traffic and networks without faults or retries", "given for steady traffic of one entry"
	for i, c := range []struct {
		change      func(s *scenarios.Scenario, t *scenarios.Traffic)
		steady      string
		onlyEvenFor string // the reason of SteadyAndEven where Steady has none
	}{
		{func(*scenarios.Scenario, *scenarios.Traffic) {}, none, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Pattern = "constant" }, none, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Pattern = "on-off" }, traffic, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.From = 1 }, traffic, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.To = 9 }, traffic, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.To = 11 }, none, none},
		{func(s *scenarios.Scenario, t *scenarios.Traffic) { s.Traffic = append(s.Traffic, *t) }, traffic, none},
		{func(s *scenarios.Scenario, _ *scenarios.Traffic) { s.Faults = make([]scenarios.Fault, 1) }, network, none},
		{func(s *scenarios.Scenario, _ *scenarios.Traffic) {
			s.Callers = &scenarios.Callers{Retry: &scenarios.Retries{}}
		}, network, none},
		{func(s *scenarios.Scenario, _ *scenarios.Traffic) { s.Further = make([]scenarios.Policy, 1) }, "given for one policy", none},
		{func(s *scenarios.Scenario, _ *scenarios.Traffic) { s.Policy.Reference.Own = true }, "given for a reference with the limit of the policy", none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Keys.Name = "uniform" }, "given for one key", none},
		{func(s *scenarios.Scenario, t *scenarios.Traffic) { t.Keys.Name, s.Policy.Shared = "uniform", true }, none, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Spread.Name = "random" }, none, none},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Spread.Name = "skewed" }, none, "given for traffic spread evenly over clients"},
		{func(_ *scenarios.Scenario, t *scenarios.Traffic) { t.Cost.Name = "uniform" }, none, "given for requests of one cost"},
	} {
		s := steady()
		c.change(s, &s.Traffic[0])
		even := c.steady
		if even == none {
			even = c.onlyEvenFor
		}
		if got := Steady(s).First(); got != c.steady {
			t.Errorf("difference %d: %q, want %q", i, got, c.steady)
		}
		if got := SteadyAndEven(s).First(); got != even {
			t.Errorf("difference %d, evenly: %q, want %q", i, got, even)
		}
	}
}
