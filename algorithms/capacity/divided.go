package capacity

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Divided is a limit of which each client has a part, with a bucket for it.
type Divided struct {
	Scale
	Limit       int64 // the capacity to divide
	Burst       int64 `option:"burst"`        // requests, of the policy
	ClientBurst int64 `option:"client_burst"` // requests; 0 means the part of Burst that a client has of Limit
}

// Divide reads a Divided from the bound fields of an enforcement and of a token bucket. It
// returns an error for options without an effect; full says when a bucket is full.
func Divide(v catalog.Values, limit counting.Limit, enforcement, full string) (Divided, error) {
	d := Divided{Scale: ScaleOf(limit), Burst: limit.Burst}
	v.Read(&d)
	d.Limit = limit.Count * d.Unit
	return d, cmp.Or(
		d.Check(limit),
		catalog.ErrorIf(d.Burst < 0 || d.Burst > 1<<40, "burst of %d requests is outside 0 to 2^40", d.Burst),
		catalog.ErrorIf(v.Bool("debt"), "debt has no effect in %s: a client's bucket never goes below zero", enforcement),
		catalog.ErrorIf(v.Set("initial") && v["initial"].V != "full", "initial has no effect in %s: %s", enforcement, full),
	)
}

// Depth returns the depth of the bucket of a client with a part, in units of whole
// requests: ClientBurst, or a part of Burst, rounded up.
func (d *Divided) Depth(part int64) int64 {
	if d.ClientBurst > 0 {
		return d.ClientBurst * d.Unit
	}
	return integers.MulDivUp(d.Burst, part, d.Limit, never/d.Unit) * d.Unit
}

// Holds returns an error if the bucket of a client with a part can never hold a request of
// a cost.
func (d *Divided) Holds(cost, part int64) error {
	most := d.Depth(part) / d.Unit
	return catalog.ErrorIf(cost > most,
		"a client's bucket holds %d requests with an even part of the limit, so it can never admit a request of cost %d: set client_burst", most, cost)
}
