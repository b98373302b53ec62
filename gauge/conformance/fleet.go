package conformance

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// ErrWaits is the error of limiters whose requests wait. Only verdicts at arrival can
// be compared.
var ErrWaits = errors.New("conformance compares limiters that decide at arrival")

// Fleets returns a maker of limiters, each a fleet that start starts for one client.
func Fleets(start func(p Policy) (outside.Fleet, error)) Maker {
	return func(p Policy) (Limiter, error) {
		f, err := start(p)
		return &fleet{Fleet: f}, err
	}
}

// fleet is a limiter that is a fleet.
type fleet struct {
	outside.Fleet
	requests []outside.Request
}

func (f *fleet) TakeAll(calls []Call, admitted []bool) error {
	f.requests = f.requests[:0]
	for _, c := range calls {
		f.requests = append(f.requests, outside.Request{AtNs: c.AtNs, Key: c.Key, Cost: c.Cost})
	}
	answers := make([]outside.Answer, len(calls))
	if err := f.Decide(f.requests, answers); err != nil {
		return err
	}
	for i, a := range answers {
		if a.WaitNs > 0 {
			return fmt.Errorf("a request at %d ns waits for %d ns (wait_ns): %w", calls[i].AtNs, a.WaitNs, ErrWaits)
		}
		admitted[i] = a.Admit
	}
	return nil
}

func (f *fleet) End() error { return f.Close() }
