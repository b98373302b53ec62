package sim

import (
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// difference describes an attempt of a trial that its row decided otherwise than the
// exact counter.
func (p *plan) difference(d *measure.Difference, replication int) *results.Difference {
	if d == nil {
		return nil
	}
	return &results.Difference{
		Replication: p.first + replication + 1,
		Attempt:     d.Attempt, AtNs: d.At, Client: int(d.Client), Key: p.traffic.KeyName(int(d.Key)), Cost: d.Cost, Admitted: d.Admitted, Waits: d.Waits, EarlyNs: d.EarlyNs,
	}
}

// firstDifference returns the difference of the first trial that has one, or nil.
func firstDifference(trials []*measured) *results.Difference {
	for _, m := range trials {
		if m.difference != nil {
			return m.difference
		}
	}
	return nil
}
