package remote

import "github.com/limitgauge/limitgauge/sim/random"

// remoteHop is the law of one network hop, with the stream it draws from.
type remoteHop struct {
	latency random.Latency
	stream  random.Stream
}
