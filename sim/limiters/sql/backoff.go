package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/callers"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// backoff returns how long a call waits before a retry.
type backoff struct {
	*callers.Backoff
	stream random.Stream
}

// newBackoff returns the waits of a bound choice, constant or exponential.
func newBackoff(c catalog.Choice, stream random.Stream) backoff {
	v := c.Values
	b := callers.Backoff{Base: v.Duration("time"), Max: v.Duration("time"), Factor: [2]int64{1, 1}}
	if c.Name == "exponential" {
		most := v.Duration("max")
		b = callers.Backoff{Base: min(v.Duration("base"), most), Max: most, Factor: [2]int64{v.Int("multiplier"), 1}}
	}
	if jitters(c) {
		b.Jitter = callers.Full
	}
	return backoff{callers.New(b), stream}
}

// jitters reports whether the waits of a choice are random.
func jitters(c catalog.Choice) bool {
	return c.Name == "exponential" && c.Values.String("jitter") == "full"
}

// next returns the wait in ns before a call's retry, which count from 1.
func (b *backoff) next(retry int64) int64 { return b.Wait(int(retry-1), 0, b.stream.Below) }
