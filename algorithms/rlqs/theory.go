package rlqs

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Load is steady traffic on one key, the input of the closed forms. The closed forms
// are floating-point figures for display; no decision depends on them.
type Load struct {
	Offered float64 // cost/s of all clients together, spread evenly
	Cost    float64 // of a request
	Clients int
	Varies  bool  // the number of a client's requests per interval varies at random
	Before  int64 // ns of load before the measured span
}

// Predict returns the closed forms that hold for the configuration under load.
func (c *Config) Predict(load Load) catalog.Prediction {
	n := float64(load.Clients)
	limit := float64(c.Limit) / float64(c.Unit) * 1e9 / float64(c.Window) // cost/s
	seconds := float64(c.Interval) / 1e9
	k := load.Offered / limit
	each := load.Offered / load.Cost * seconds / n // requests per client and interval
	burst := n * float64(c.Depth(c.Limit/int64(load.Clients))) / float64(c.Unit)
	varies := load.Varies || each != math.Trunc(each) // of a client's demand, between two reports
	margin := 1 / each
	if load.Varies {
		margin = 5 / math.Sqrt(each)
	}
	whole := c.Allocation == Whole
	part := k // a client's demand, as a multiple of its assignment
	if whole {
		part = k / n
	}
	why := catalog.Reasons{
		{load.Before/2 < c.Interval, "given after a warmup of two report intervals"},
		{c.TTL < c.Interval+1e9, "assignments may expire before they are renewed"},
		{c.Rebalance > 0, "there is no closed form for rebalancing at an interval of its own"},
		{c.FillInterval > 0, "assignments are rounded to whole tokens"},
		{each < 1, "fewer than one request per client and interval"},
		{part < 1+margin, "the demand of a client does not surely exceed its assignment"},
		{c.Allocation == Greedy && varies, "there is no closed form for demands that vary"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	run := catalog.Predicted{Value: 1, Formula: "1", Why: "the assignments add up to the limit and do not change"}
	switch {
	case whole:
		run = catalog.Predicted{Value: n, Formula: fmt.Sprintf("N = %d", load.Clients), Why: "each client has the whole limit"}
	case c.Allocation == Proportional && c.CarriesOver:
		run.Why = "the assignments add up to the limit in the mean"
	case c.Allocation == Proportional && varies:
		if (k-1)*limit*seconds < 2*burst {
			return catalog.NoPrediction("a client may not use up a full bucket within an interval")
		}
		run = catalog.Predicted{
			Value: 1 + burst/(limit*seconds), Formula: "1 + b/(L*d)",
			Why: "each report changes its client's assignment, whose bucket starts full: the burst b once per interval d, beside the limit L per second",
		}
	}
	over := catalog.Predicted{Value: run.Value - 1, Formula: run.Formula + " - 1", Why: run.Why}
	if c.Allocation == Proportional && varies {
		over = catalog.Predicted{Why: "the refills of single windows vary"}
	}
	return catalog.Prediction{OverLimit: over, LongRun: run, Noise: catalog.Predicted{Why: "there is no closed form"}}
}
