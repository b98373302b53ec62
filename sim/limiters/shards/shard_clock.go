package shards

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// shardClock schedules a shard's polls, releases and stalls.
type shardClock struct {
	interval, phase         int64 // ns, of its polls
	reapInterval, reapPhase int64 // ns, of its releases; 0: no timer
	sleeps                  bool
	last                    int64 // its latest poll
	stalls                  bool
	stall                   stalls
}

// stalls describes the current span [begin, end) in which a shard does other work,
// and draws the next ones.
type stalls struct {
	begin, end int64
	busy, rest random.Scale
	draws      random.Stream
}

// shardClocks returns the clocks of all shards.
func shardClocks(t *engine.Trial) []shardClock {
	o := t.Algorithm.Options
	n := t.Clients()
	clocks := make([]shardClock, n)
	phases := t.Stream("phases")
	rare, stalled := o.Group("rare"), o.Group("stalls")
	for i := range clocks {
		c := &clocks[i]
		c.interval, c.reapInterval = o.Duration("poll_interval"), o.Duration("reap_interval")
		if among(rare, i) {
			c.interval = rare.Duration("poll_interval")
		}
		c.sleeps = o.String("idle") == "sleep"
		// The phase is at num/2^64 of an interval.
		num := uint64(0)
		switch o.String("phase") {
		case "staggered":
			num, _ = bits.Div64(uint64(2*i+1), 0, uint64(2*n))
		case "random":
			num = phases.Uint64()
		}
		c.phase, c.reapPhase = part(c.interval, num), part(c.reapInterval, num)
		c.last = t.Origin - c.interval
		if among(stalled, i) {
			c.stalls = true
			c.stall = stalls{
				busy: random.NewScale(stalled.Duration("busy"), 1), rest: random.NewScale(stalled.Duration("rest"), 1),
				draws: t.Stream(fmt.Sprintf("stalls/%d", i)),
			}
			c.stall.begin, c.stall.end = t.Origin, t.Origin
		}
	}
	return clocks
}

// part returns num/2^64 of a span, rounded down.
func part(span int64, num uint64) int64 {
	hi, _ := bits.Mul64(uint64(span), num)
	return int64(hi)
}

// among reports whether a group of options applies to shard i. It applies to a share of
// the shards, spread evenly.
func among(group catalog.Values, i int) bool {
	if group == nil {
		return false
	}
	share := group.Share("shards")
	return upTo(share, i+1) > upTo(share, i)
}

// upTo returns a share of n shards, rounded down.
func upTo(share units.Fraction, n int) int64 {
	return integers.MulDiv(share.Num, int64(n), share.Den, math.MaxInt64)
}

func drawsShards(s *engine.Setting, a *scenarios.Algorithm) bool {
	return a.Options.String("phase") == "random" || a.Options.Group("stalls") != nil
}

// nextPoll returns the poll after the one at now, for a shard that may sleep until
// wake.
func (c *shardClock) nextPoll(now, wake int64) int64 {
	if c.sleeps {
		return max(now+c.interval, wake)
	}
	return ticks.After(now, c.phase, c.interval)
}

// wakeUp returns when an idle shard looks at a request that arrives now.
func (c *shardClock) wakeUp(now int64) int64 {
	if c.sleeps {
		return max(now, c.last+c.interval)
	}
	return ticks.After(now, c.phase, c.interval)
}

// stalledUntil returns the end of the stall at now, or now if there is none. Times
// must not go back.
func (c *shardClock) stalledUntil(now int64) int64 {
	if !c.stalls {
		return now
	}
	s := &c.stall
	for s.end <= now {
		s.begin = s.end + s.draw(&s.rest)
		s.end = s.begin + s.draw(&s.busy)
	}
	if s.begin <= now {
		return s.end
	}
	return now
}

// draw returns an exponential span in ns.
func (s *stalls) draw(mean *random.Scale) int64 {
	ns, _ := mean.Gap(s.draws.Exponential())
	return ns
}
