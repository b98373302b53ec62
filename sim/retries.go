package sim

import (
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/random"
	"github.com/limitgauge/limitgauge/sim/trial"
)

// newRetries are the retries of one row's callers, or nil where nobody tries
// again: the shaper refuses nobody.
func (p *plan) newRetries(r row, s *trial.Setting, replication int) (*lanes.Retries, error) {
	if p.scenario.Retries == nil || r.reference && r.delays {
		return nil, nil
	}
	stream := random.New(p.scenario.Seed, p.first+replication, "retries")
	if r.delays {
		shaper, err := p.newShaper(s)
		if err != nil {
			return nil, err
		}
		return lanes.NewRetries(p.scenario.Retries, stream, nil, lanes.NewShapedReference(shaper)), nil
	}
	if r.reference {
		return lanes.NewRetries(p.scenario.Retries, stream, nil, nil), nil
	}
	reference, err := p.newReference(s)
	if err != nil {
		return nil, err
	}
	return lanes.NewRetries(p.scenario.Retries, stream, reference, nil), nil
}
