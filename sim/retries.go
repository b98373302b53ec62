package sim

import (
	"github.com/limitgauge/limitgauge/random"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// newRetries returns the retries of one row's callers. It returns nil if
// callers do not retry or if the row is the shaping reference, which rejects
// nothing.
func (p *plan) newRetries(r row, s *engine.Setting, replication int) (*engine.Retries, error) {
	if p.scenario.Retries == nil || r.reference && r.delays {
		return nil, nil
	}
	stream := random.New(p.scenario.Seed, p.first+replication, "retries")
	if r.delays {
		shaper, err := p.newShaper(s)
		if err != nil {
			return nil, err
		}
		return engine.NewRetries(p.scenario.Retries, stream, nil, engine.NewShapedReference(shaper)), nil
	}
	if r.reference {
		return engine.NewRetries(p.scenario.Retries, stream, nil, nil), nil
	}
	reference, err := p.newReference(s)
	if err != nil {
		return nil, err
	}
	return engine.NewRetries(p.scenario.Retries, stream, reference, nil), nil
}
