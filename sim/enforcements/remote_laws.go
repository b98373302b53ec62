package enforcements

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/random"
)

// remoteHop is the law of one network hop, with the stream it draws from.
type remoteHop struct {
	latency random.Latency
	stream  random.Stream
}

// latencyOf is the law of a bound choice of constant, exponential or lognormal.
func latencyOf(c catalog.Choice) (random.Latency, error) {
	return random.NewLatency(c.Name, c.Values.Duration("p50"), c.Values.Duration("p99"), c.Values.Duration("time"))
}

// serviceLaw is the law of a service time, with the stream it draws from.
type serviceLaw struct {
	constant int64
	scale    random.Scale
	random   bool
	stream   random.Stream
}

// serviceOf is the law of a bound choice of constant or exponential.
func serviceOf(c catalog.Choice, stream random.Stream) serviceLaw {
	if c.Name == "exponential" {
		return serviceLaw{scale: random.NewScale(c.Values.Duration("mean"), 1), random: true, stream: stream}
	}
	return serviceLaw{constant: c.Values.Duration("time")}
}

func (s *serviceLaw) draw() int64 {
	if !s.random {
		return s.constant
	}
	ns, _ := s.scale.Gap(s.stream.Exponential())
	return ns
}

// takesNone reports whether service is over as soon as it begins.
func (s *serviceLaw) takesNone() bool { return !s.random && s.constant == 0 }
