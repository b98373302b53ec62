package rover

import (
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// timer replenishes buckets at multiples of its grid. A bucket is made when
// its key is first asked, but the timer has been running: its latest tick comes
// before the first claim, and fills a bucket that starts full by an old stamp.
// Ticks that would credit nothing change nothing,
// so only the next one that credits is ever scheduled, and those of a key that
// nobody asks are run when it is next looked at. A continuous bucket is one
// whose grid is 1 ns.
type timer struct {
	grid int64 // ns between ticks; 0: there is no timer
	// anyOrder: a tick leaves the stamp in the same place whichever ticks were
	// left out before it.
	anyOrder bool
	turn     int64 // a stamp that moves by whole turns is followed by the same ticks
	leap     int64 // the longest idle time run as one tick
}

// longestGap is what one replenish of a bucket credits at most.
const longestGap = int64(time.Hour)

func newTimer(grid int64, c *rover.Config) timer {
	t := timer{grid: grid, turn: 1, leap: engine.Never}
	if grid > 0 && c.Stamp == rover.ByTokens && c.Rate > 0 {
		n, p := counter.Limit{Count: int64(c.Rate), Window: c.Per}.Rate()
		// A stamp lags less than a token behind its tick. Together with a leap
		// that stays within what is credited, so that no time is cut off.
		t.leap = longestGap - (p+n-1)/n
		t.turn = p
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

// lastTick is the latest tick that is not after now.
func (t *timer) lastTick(now int64) int64 {
	if t.grid == 0 {
		return now
	}
	return now / t.grid * t.grid
}

// tickFrom is the first tick that is not before ready, or never.
func (t *timer) tickFrom(ready int64) int64 {
	if t.grid == 0 || ready > engine.Never-t.grid {
		return engine.Never
	}
	return (ready + t.grid - 1) / t.grid * t.grid
}

// idle runs the ticks of a full bucket from the one that was just run at `at`
// up to now. They only move its stamp, so most of them need not be run: a year
// costs some thousand steps.
func (t *timer) idle(b *TimedBucket, at, now int64) {
	if t.anyOrder {
		for last := now / t.grid * t.grid; b.due <= last; {
			at = min(max(b.due, (at+t.leap)/t.grid*t.grid), last)
			t.tick(b, at)
		}
		return
	}
	// The stamp depends on the ticks, which sooner or later come round to where
	// they have been within a turn. Brent's search for that: the mark to come
	// round to moves on at steps 1, 2, 4 and so on, past what is not repeated.
	mark := at
	for step, most := 1, 1; b.due <= now; step++ {
		at = b.due
		t.tick(b, at)
		if round := at - mark; round%t.turn == 0 {
			if leap := min(now-at, t.leap) / round * round; leap > 0 {
				at += leap
				t.tick(b, at)
			}
		}
		if step == most {
			mark, most = at, 2*most
		}
	}
}
