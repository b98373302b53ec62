package trial

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/random"
)

// LatencyOf is the law of a bound choice of constant, exponential or lognormal.
func LatencyOf(c catalog.Choice) (random.Latency, error) {
	return random.NewLatency(c.Name, c.Values.Duration("p50"), c.Values.Duration("p99"), c.Values.Duration("time"))
}

// ServiceLaw is the law of a service time, with the stream it draws from.
type ServiceLaw struct {
	constant int64
	scale    random.Scale
	random   bool
	stream   random.Stream
}

// ServiceOf is the law of a bound choice of constant or exponential.
func ServiceOf(c catalog.Choice, stream random.Stream) ServiceLaw {
	if c.Name == "exponential" {
		return ServiceLaw{scale: random.NewScale(c.Values.Duration("mean"), 1), random: true, stream: stream}
	}
	return ServiceLaw{constant: c.Values.Duration("time")}
}

// Draw is the next service time in ns.
func (s *ServiceLaw) Draw() int64 {
	if !s.random {
		return s.constant
	}
	ns, _ := s.scale.Gap(s.stream.Exponential())
	return ns
}

// TakesNone reports whether service is over as soon as it begins.
func (s *ServiceLaw) TakesNone() bool { return !s.random && s.constant == 0 }
