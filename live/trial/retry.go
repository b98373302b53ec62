package trial

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// retry returns how callers retry rejected requests, as simulated ones do, or nil if they
// do not. One that waits until the limiter would admit it goes by what it promised.
func (t *Trial) retry() func(e *exchange.Exchange, first int64) (waitNs int64, again bool) {
	s := t.scenario()
	if s.Retries == nil {
		return nil
	}
	r := engine.NewRetries(s.Retries, random.New(s.Seed, 0, "retries"), nil, nil)
	return func(e *exchange.Exchange, first int64) (int64, bool) {
		if !r.Tries(uint16(e.Try)) || r.Named() && e.RetryAfterNs < 0 {
			return 0, false
		}
		waitNs := r.Wait(first, uint16(e.Try))
		if r.Named() {
			waitNs += e.RetryAfterNs
		}
		return waitNs, true
	}
}
