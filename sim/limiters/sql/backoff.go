package sql

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// backoff returns how long a call waits before a retry.
type backoff struct {
	waits  []int64 // ns, by retry; the last one repeats
	jitter bool
	stream random.Stream
}

// newBackoff returns the waits of a bound choice, constant or exponential.
func newBackoff(c catalog.Choice, stream random.Stream) backoff {
	if c.Name == "constant" {
		return backoff{waits: []int64{c.Values.Duration("time")}}
	}
	b := backoff{jitter: jitters(c), stream: stream}
	most, factor := c.Values.Duration("max"), c.Values.Int("multiplier")
	wait := min(c.Values.Duration("base"), most)
	for ; wait < most && factor > 1; wait *= factor {
		b.waits = append(b.waits, wait)
		if wait > most/factor {
			wait = most
			break
		}
	}
	b.waits = append(b.waits, wait)
	return b
}

// jitters reports whether the waits of a choice are random.
func jitters(c catalog.Choice) bool {
	return c.Name == "exponential" && c.Values.String("jitter") == "full"
}

// next returns the wait in ns before a call's retry, which count from 1.
func (b *backoff) next(retry int64) int64 {
	wait := b.waits[min(retry, int64(len(b.waits)))-1]
	if b.jitter {
		return int64(b.stream.Below(uint64(wait) + 1))
	}
	return wait
}
