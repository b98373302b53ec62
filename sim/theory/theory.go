// Package theory reads from a scenario what the closed forms of limiters need. The forms
// themselves are in algorithms, and each limiter applies its own.
//
// The package makes no promise: it can change at any time.
package theory

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// LimitOf returns the limit of a scenario's first policy.
func LimitOf(s *scenarios.Scenario) counting.Limit {
	return counting.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
}

// Steady returns the reasons why forms for steady traffic on one key do not hold for a
// scenario.
func Steady(s *scenarios.Scenario) catalog.Reasons {
	t := &s.Traffic[0]
	return catalog.Reasons{
		{len(s.Faults) > 0 || s.Retry(), "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{s.Policy.Reference.Own, "given for a reference with the limit of the policy"},
		{len(s.Traffic) != 1 || t.Pattern != "constant" && t.Pattern != "poisson" || t.From > 0 || t.To < s.Duration, "given for steady traffic of one entry"},
		{t.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
	}
}

// SteadyAndEven returns those of Steady, and the reasons why forms for requests of one
// cost that are spread evenly over clients do not hold.
func SteadyAndEven(s *scenarios.Scenario) catalog.Reasons {
	t := &s.Traffic[0]
	return append(Steady(s), catalog.Reasons{
		{t.Spread.Name != "even" && t.Spread.Name != "random", "given for traffic spread evenly over clients"},
		{t.Cost.Name != "constant", "given for requests of one cost"},
	}...)
}

// Time describes a distribution of times: its mean and 99th percentile in seconds and its
// variance in s^2.
type Time struct{ Mean, P99, Variance float64 }

// TimeOf returns the description of a constant, exponential or log-normal time.
func TimeOf(distribution catalog.Choice) Time {
	const z99 = 2.3263478740408408 // quantile of the normal distribution
	seconds := func(field string) float64 { return float64(distribution.Values.Duration(field)) / 1e9 }
	switch distribution.Name {
	case "exponential":
		mean := seconds("p99") / math.Log(100)
		return Time{mean, seconds("p99"), mean * mean}
	case "lognormal":
		sigma := math.Log(seconds("p99")/seconds("p50")) / z99
		mean := seconds("p50") * math.Exp(sigma*sigma/2)
		return Time{mean, seconds("p99"), mean * mean * (math.Exp(sigma*sigma) - 1)}
	}
	return Time{Mean: seconds("time"), P99: seconds("time")}
}
