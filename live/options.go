package live

import (
	"time"

	"github.com/limitgauge/limitgauge/live/send"
)

// Option changes what is sent or by what the limiter is judged.
type Option func(*settings)

// Scenario chooses a scenario of a file that has several.
func Scenario(name string) Option { return func(s *settings) { s.scenario = name } }

// Judge states what the limiter promises: "bucket", "sliding" or "calendar" windows. By
// default it is the kind of the policy's reference.
func Judge(promise string) Option { return func(s *settings) { s.trial.Promise = promise } }

// Predict names the algorithm of the scenario that should predict the limiter.
func Predict(algorithm string) Option { return func(s *settings) { s.trial.Predict = algorithm } }

// OwnNetwork makes simulated calls take the latency of the scenario's topology. By
// default they take as long as the limiter's answers, of which the limiter itself may
// have worked a part.
func OwnNetwork() Option { return func(s *settings) { s.trial.OwnNetwork = true } }

// Tolerance is the cost by which the possible maximum may exceed a limit that is kept.
// By default it is 1 % of the limit, and at least 1.
func Tolerance(cost int64) Option { return func(s *settings) { s.trial.Tolerance = cost } }

// Resolution is the step of the limiter's clock.
func Resolution(step time.Duration) Option {
	return func(s *settings) { s.trial.ResolutionNs = int64(step) }
}

// Unused states that nothing has used the keys before the run, so that a limiter that
// begins with less than its full limit is found.
func Unused() Option { return func(s *settings) { s.trial.Unused = true } }

// Timeout is the time after which a request without a verdict has failed: 5 s by default.
func Timeout(d time.Duration) Option { return func(s *settings) { s.trial.Timeout = d } }

// Caps are the most requests in any second, of the run, and in flight. 0 is the default:
// 10,000/s, 10,000,000, and 10,000.
func Caps(perSecond, requests, inFlight int64) Option {
	return func(s *settings) {
		s.trial.Caps = send.Caps{PerSecond: perSecond, Requests: requests, InFlight: inFlight}
	}
}
