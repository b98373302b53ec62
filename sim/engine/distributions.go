package engine

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// LatencyOf returns the latency distribution of a bound choice: constant,
// exponential or lognormal.
func LatencyOf(c catalog.Choice) (random.Latency, error) {
	return random.NewLatency(c.Name, c.Values.Duration("p50"), c.Values.Duration("p99"), c.Values.Duration("time"))
}

// ServiceTime draws service times from a distribution.
type ServiceTime struct {
	constant int64
	scale    random.Scale
	random   bool
	stream   random.Stream
}

// ServiceOf returns the service time of a bound choice, constant or
// exponential, that draws from stream.
func ServiceOf(c catalog.Choice, stream random.Stream) ServiceTime {
	if c.Name == "exponential" {
		return ServiceTime{scale: random.NewScale(c.Values.Duration("mean"), 1), random: true, stream: stream}
	}
	return ServiceTime{constant: c.Values.Duration("time")}
}

// Draw returns the next service time in ns.
func (s *ServiceTime) Draw() int64 {
	if !s.random {
		return s.constant
	}
	ns, _ := s.scale.Gap(s.stream.Exponential())
	return ns
}

// Of returns the service time in ns of the request with this number, from 0. It does not
// depend on other draws.
func (s *ServiceTime) Of(number int64) int64 {
	own := *s
	own.stream = s.stream.Jumped(uint64(number))
	return own.Draw()
}

// TakesNone reports whether every service time is 0.
func (s *ServiceTime) TakesNone() bool { return !s.random && s.constant == 0 }

// ServiceDraws reports whether the service times of a backend are random.
func ServiceDraws(g *scenarios.Guard) bool { return g.ServiceTime.Name != "constant" }

// MeanService returns the mean service time of a backend, in ns.
func MeanService(g *scenarios.Guard) int64 {
	if ServiceDraws(g) {
		return g.ServiceTime.Values.Duration("mean")
	}
	return g.ServiceTime.Values.Duration("time")
}
