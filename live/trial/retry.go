package trial

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// retry returns how callers retry rejected requests, as simulated ones do, or nil if they
// do not. One that waits until the limiter would admit it goes by what it promised.
func (t *Trial) retry() func(e *exchange.Exchange, first int64) (waitNs int64, again bool) {
	s := t.scenario()
	retries := s.RetriesOf(nil)
	if retries == nil {
		return nil
	}
	r := engine.NewRetries(retries, 0, random.New(s.Seed, 0, "retries"), nil, nil)
	return func(e *exchange.Exchange, first int64) (int64, bool) {
		try := int64(e.Try)
		if !r.Tries(try) {
			return 0, false
		}
		retryAt := e.RetryAfterNs
		if retryAt < 0 {
			retryAt = counting.Never
		}
		return r.Next(0, engine.UnknownLevel, retryAt, first, try, r.Last(first, try))
	}
}
