package readthenwrite

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Load is steady Poisson traffic on one key, and the network on which it is decided.
type Load struct {
	Offered    float64 // requests a second
	Cost       int64   // of each request
	Latency    float64 // mean round trip, in s
	LatencyVar float64 // its variance, in s^2
}

// Window returns the mean and the variance of the race window in seconds: from the
// store's read to its write are half of a round trip, the client's time, and half of
// another round trip.
func (c *Config) Window(l Load) (mean, variance float64) {
	mean, variance = l.Latency, l.LatencyVar/2
	if c.ClientTime.Name == "exponential" {
		client := float64(c.ClientTime.Values.Duration("mean")) / 1e9
		return mean + client, variance + client*client
	}
	return mean + float64(c.ClientTime.Values.Duration("time"))/1e9, variance
}

// Predict applies the closed forms for fixed windows under Poisson arrivals of rate
// r, for a limit of n requests and a race window of mean tau and standard deviation
// s. Admitted requests of a window that fills:
//
//	increment  n + r*tau       variance r*tau
//	set        n*(1 + r*tau)   variance n*(r*tau + r^2*s^2)
//
// Increments: the writes that have arrived and those in flight are independent
// Poisson numbers at any time, so r*tau are in flight when the nth arrives. Sets: a
// value is one more than the value of the latest write before its read. Back along
// this chain each step takes 1/r until that write and tau until its read, both
// independent of what came later. So the value grows by 1 in 1/r + tau in the mean,
// whatever the distribution of tau, and n of these steps admit r*n*(1/r + tau). If tau
// is constant this is exact. Otherwise a late write can take the value back after it
// has reached n, which changes the result by a few r*tau, and not in proportion to n.
func (c *Config) Predict(limit counting.Limit, l Load) catalog.Prediction {
	tau, variance := c.Window(l)
	n, m := float64(limit.Count/max(l.Cost, 1)), l.Offered*tau
	width := float64(limit.Window) / 1e9
	admitted, noise, forms := n+m, m, [2]string{"r*tau/n", "sqrt(r*tau)/n"}
	if !c.Increment {
		admitted, noise, forms = n*(1+m), n*(m+l.Offered*l.Offered*variance), [2]string{"r*tau", "sqrt((r*tau + r^2*s^2)/n)"}
	}
	arrivals := l.Offered * width
	why := catalog.Reasons{
		{c.Counter != fixedWindow, "given for fixed windows"},
		{n < 1, "the cost of a request is above the limit"},
		{l.Cost > 1 && limit.Count%l.Cost != 0 && c.CountRejected, "rejected requests use up the rest of a window"},
		{c.Timeout > 0 && l.Latency+5*math.Sqrt(l.LatencyVar) > float64(c.Timeout)/1e9, "calls time out"},
		{arrivals < admitted+5*math.Sqrt(arrivals+noise), "windows end before they are full"},
		{tau+5*math.Sqrt(variance) > n/l.Offered, "a window is full before its first writes have arrived"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	about := fmt.Sprintf("r = offered rate, n = requests in the limit, tau = race window, %.4g ms in the mean, s = its standard deviation, %.4g ms", 1e3*tau, 1e3*math.Sqrt(variance))
	share := float64(l.Cost) / float64(limit.Count)
	return catalog.Prediction{
		OverLimit: catalog.Predicted{Value: max(admitted*share-1, 0), Formula: forms[0], Why: about},
		LongRun:   catalog.Predicted{Value: admitted * share, Formula: "1 + " + forms[0], Why: about},
		Noise:     catalog.Predicted{Value: math.Sqrt(noise) * share, Formula: forms[1], Why: about},
	}
}
