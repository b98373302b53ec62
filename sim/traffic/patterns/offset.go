package patterns

import (
	"github.com/limitgauge/limitgauge/internal/random"
)

// offset shifts the phase of a periodic pattern.
type offset struct {
	set, random bool
	time        int64 // ns, below the period
}

func offsetOf(v *options) offset {
	c := v.Choice("offset")
	return offset{set: c.Name != "", random: c.Name == "random", time: c.Values.Duration("time")}
}

// of returns the offset of a replication and how far into its period the pattern
// begins, in 1/units ns, as is the period. A random offset is drawn at the far end of
// the entry's stream, so that no other draw depends on it.
func (o offset) of(period, units int64, draws random.Stream) (offset, into int64) {
	offset = o.time * units
	if o.random {
		draws = draws.Jumped(1 << 63)
		offset = int64(draws.Below(uint64(period)))
	}
	return offset, (period - offset) % period
}
