package faults

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// clock is the offset of some clients' clocks.
type clock struct {
	entry int
	whose members
	since int64
	skew  int64 // ns
	ppm   int64 // of drift since then, in parts per million
}

// Clock returns the time that a client's clock shows at now, in ns, and counts
// the client if that is wrong. A clock may step back and so show a time twice.
// The result may be negative.
func (t *Timeline) Clock(client int32, now int64) int64 {
	shown := now
	for _, c := range t.at(now).clocks {
		if off := c.off(client, now); off != 0 {
			shown += off
			if t.counts != nil {
				t.counts.clients[c.entry] = t.counts.clients[c.entry].with(client)
			}
		}
	}
	return shown
}

// ClockOffset returns how far a client's clock is ahead at now, in ns. It counts
// nothing.
func (t *Timeline) ClockOffset(client int32, now int64) (off int64) {
	for _, c := range t.at(now).clocks {
		off += c.off(client, now)
	}
	return off
}

func (c *clock) off(client int32, now int64) int64 {
	if !c.whose.has(client) {
		return 0
	}
	return c.skew + drift(now-c.since, c.ppm)
}

// drift returns elapsed*ppm/1e6, rounded towards zero.
func drift(elapsed, ppm int64) int64 {
	if ppm < 0 {
		return -drift(elapsed, -ppm)
	}
	return integers.MulDiv(elapsed, ppm, 1_000_000, math.MaxInt64)
}
