package rover

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// timer replenishes buckets at multiples of its grid. It runs before the first
// request of a key creates the bucket: its latest tick precedes the first claim,
// and its stamp is old then. A tick that credits nothing changes nothing. So only
// the next tick that credits is scheduled, and the ticks of a key without requests
// run when the next one arrives. A continuous bucket has a grid of 1 ns.
type timer struct {
	grid int64 // ns between ticks; 0: there is no timer
	// anyOrder: the stamp after a tick does not depend on which earlier ticks
	// were left out.
	anyOrder bool
	turn     int64 // stamps that differ by whole turns have the same ticks after them
}

func newTimer(grid int64, c *rover.Config) timer {
	t := timer{grid: grid, turn: 1}
	if grid > 0 && c.Stamp == rover.ByTokens && c.Rate > 0 {
		_, t.turn = counting.Limit{Count: int64(c.Rate), Window: int64(c.Per)}.Rate()
		t.anyOrder = c.Threshold <= 1
	}
	return t
}

// catchUp runs the key's ticks up to now.
func (t *timer) catchUp(b *TimedBucket, now int64) {
	for b.due <= now {
		at := b.due
		t.tick(b, at)
		if b.due <= now && b.Bucket.Room() == 0 {
			t.idle(b, at, now)
		}
	}
}

func (t *timer) tick(b *TimedBucket, at int64) {
	b.Bucket.Replenish(at)
	b.due = t.tickFrom(b.Bucket.ReadyAt())
}

// lastTick returns the latest tick up to now.
func (t *timer) lastTick(now int64) int64 {
	if t.grid == 0 {
		return now
	}
	return now / t.grid * t.grid
}

// tickFrom returns the first tick from ready on, or Never.
func (t *timer) tickFrom(ready int64) int64 {
	if t.grid == 0 || ready > engine.Never-t.grid {
		return engine.Never
	}
	return (ready + t.grid - 1) / t.grid * t.grid
}

// idle runs the ticks of a full bucket after the one at the time at, up to now.
// They only move its stamp, so most of them can be left out.
func (t *timer) idle(b *TimedBucket, at, now int64) {
	if t.anyOrder {
		t.tick(b, t.lastTick(now))
		return
	}
	// The stamp depends on the ticks, which repeat within a turn sooner or later.
	// Brent's cycle search finds the period: its mark moves on at steps 1, 2, 4
	// and so on, past the ticks before the cycle.
	mark := at
	for step, most := 1, 1; b.due <= now; step++ {
		at = b.due
		t.tick(b, at)
		if round := at - mark; round%t.turn == 0 {
			if leap := (now - at) / round * round; leap > 0 {
				at += leap
				t.tick(b, at)
			}
		}
		if step == most {
			mark, most = at, 2*most
		}
	}
}
