package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// demand is what a client stores about the requests for one key.
type demand struct {
	seconds []int64 // cost by second, the newest at newest % len
	newest  int64   // the second that is being counted
	first   int64   // second of the first request
}

// count counts a request.
func (d *demand) count(now, cost int64, c *Config) {
	if len(c.Wants) > 0 {
		return
	}
	second := now / 1e9
	if d.seconds == nil {
		// One more than the whole seconds of the estimate: the current one.
		d.seconds = make([]int64, c.Seconds+1)
		d.first, d.newest = second, second
	}
	d.advance(second)
	at := &d.seconds[second%int64(len(d.seconds))]
	*at = integers.Add(*at, max(cost, 0))
}

// advance clears the seconds that have begun since the last call.
func (d *demand) advance(second int64) {
	n := int64(len(d.seconds))
	for s := max(d.newest+1, second-n+1); s <= second; s++ {
		d.seconds[s%n] = 0
	}
	d.newest = max(d.newest, second)
}

// wants returns the estimate at now.
func (d *demand) wants(now int64, c *Config, id int32) Capacity {
	if len(c.Wants) > 0 {
		return c.Wants[int(id)%len(c.Wants)]
	}
	second := now / 1e9
	if len(d.seconds) == 0 || second <= d.first {
		return c.FirstWants
	}
	d.advance(second)
	n := int64(len(d.seconds))
	sum, weights := int64(0), int64(0)
	for age := int64(1); age < n && second-age >= d.first; age++ {
		weight := n - age
		weights += weight
		sum = integers.Add(sum, integers.MulDiv(d.seconds[(second-age)%n], weight, 1, never))
	}
	return c.Rate(integers.MulDiv(sum, c.Unit, weights, capacity.MostWants), 1e9)
}
