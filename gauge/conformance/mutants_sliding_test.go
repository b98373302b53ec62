package conformance

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// slidingLog is a reference model of a log. Mutants replace its functions.
type slidingLog struct {
	limit, width int64
	entries      []entry
	last         int64
	gone         func(l *slidingLog, e entry, now int64) bool
	sum          func(l *slidingLog) int64
	fits         func(l *slidingLog, sum, cost int64) bool
	add          func(l *slidingLog, now, cost int64)
	rejects      func(l *slidingLog, now, cost int64)
	now          func(l *slidingLog, now int64) int64
}

type entry struct{ at, cost int64 }

func (l *slidingLog) take(now, cost int64) bool {
	now = l.now(l, now)
	l.last = max(l.last, now)
	l.entries = slices.DeleteFunc(l.entries, func(e entry) bool { return l.gone(l, e, now) })
	admitted := l.fits(l, l.sum(l), cost)
	if admitted && cost > 0 {
		l.add(l, now, cost)
	}
	if !admitted {
		l.rejects(l, now, cost)
	}
	return admitted
}

func logged(l *slidingLog, now, cost int64) { l.entries = append(l.entries, entry{now, cost}) }

func summed(l *slidingLog) (sum int64) {
	for _, e := range l.entries {
		sum = integers.Add(sum, e.cost)
	}
	return sum
}

// logWith returns a sliding log with a change.
func logWith(change func(l *slidingLog)) func(p Policy) oneKey {
	return func(p Policy) oneKey {
		l := &slidingLog{limit: p.Count, width: p.Window, add: logged, sum: summed,
			gone:    func(l *slidingLog, e entry, now int64) bool { return e.at <= now-l.width },
			fits:    func(l *slidingLog, sum, cost int64) bool { return cost == 0 || cost <= l.limit-sum },
			rejects: func(*slidingLog, int64, int64) {},
			now:     func(l *slidingLog, now int64) int64 { return max(now, l.last) }}
		change(l)
		return l.take
	}
}

var logMutants = []mutant{
	{name: "drops entries 1 ns late", key: logWith(func(l *slidingLog) {
		l.gone = func(l *slidingLog, e entry, now int64) bool { return e.at < now-l.width }
	})},
	{name: "drops entries 1 ns early", key: logWith(func(l *slidingLog) {
		l.gone = func(l *slidingLog, e entry, now int64) bool { return e.at <= now-l.width+1 }
	})},
	{name: "keeps one entry of an instant", key: logWith(func(l *slidingLog) {
		l.add = func(l *slidingLog, now, cost int64) {
			l.entries = slices.DeleteFunc(l.entries, func(e entry) bool { return e.at == now })
			logged(l, now, cost)
		}
	})},
	{name: "counts entries and not costs", key: logWith(func(l *slidingLog) {
		l.sum = func(l *slidingLog) int64 { return int64(len(l.entries)) }
	})},
	{name: "logs rejected calls", key: logWith(func(l *slidingLog) { l.rejects = logged })},
	{name: "logs a rejected call at the first entry", key: logWith(func(l *slidingLog) {
		l.rejects = func(l *slidingLog, _, cost int64) {
			if len(l.entries) > 0 && cost > l.limit {
				l.entries[0].cost = integers.Add(l.entries[0].cost, 1)
			}
		}
	})},
	{name: "drops one entry for each call", key: logWith(func(l *slidingLog) {
		calls, dropped := 0, 0
		l.now = func(l *slidingLog, now int64) int64 { calls++; return max(now, l.last) }
		l.gone = func(l *slidingLog, e entry, now int64) bool {
			if e.at > now-l.width || dropped == calls {
				return false
			}
			dropped = calls
			return true
		}
	})},
	{name: "keeps three entries", key: logWith(func(l *slidingLog) {
		l.add = func(l *slidingLog, now, cost int64) {
			logged(l, now, cost)
			l.entries = l.entries[max(len(l.entries)-3, 0):]
		}
	})},
	{name: "admits any cost below the limit", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool { return cost == 0 || sum < l.limit }
	})},
	{name: "clamps the cost to the limit", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool { return min(cost, l.limit) <= l.limit-sum }
	})},
	{name: "overflows when it adds the cost", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool { return cost == 0 || sum+cost <= l.limit }
	})},
	{name: "sums in 12 bits", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool { return cost <= l.limit-sum&(1<<12-1) }
	})},
	{name: "admits one more into an empty log", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool {
			return cost == 0 || cost <= l.limit-sum || sum == 0 && cost == l.limit+1
		}
	})},
	{name: "admits one less into an empty log", key: logWith(func(l *slidingLog) {
		l.fits = func(l *slidingLog, sum, cost int64) bool {
			return cost == 0 || cost <= l.limit-sum && (sum > 0 || cost < l.limit || l.limit == 1)
		}
	})},
	{name: "follows a clock that is set back", key: logWith(func(l *slidingLog) {
		l.now = func(_ *slidingLog, now int64) int64 { return now }
	})},
	{name: "empties when the clock is set back", key: logWith(func(l *slidingLog) {
		l.now = func(l *slidingLog, now int64) int64 {
			if now < l.last {
				l.entries = nil
			}
			return max(now, l.last)
		}
	})},
}

// pair is a reference model of the sliding window counter. Mutants replace its
// functions.
type pair struct {
	limit, width      int64
	number            int64 // of the current window
	current, previous int64
	last              int64
	now               func(c *pair, now int64) int64
	moves             func(c *pair, windows int64)   // to a later window
	rest              func(c *pair, now int64) int64 // of the previous window in view, in ns
	fits              func(c *pair, rest, cost int64) bool
	rejects           func(c *pair, cost int64)
}

func (c *pair) take(now, cost int64) bool {
	now = c.now(c, now)
	c.last = max(c.last, now)
	if windows := now/c.width - c.number; windows > 0 {
		c.moves(c, windows)
		c.number = now / c.width
	}
	if c.fits(c, c.rest(c, now), cost) {
		c.current += cost
		return true
	}
	c.rejects(c, cost)
	return false
}

func moved(c *pair, windows int64) {
	c.previous, c.current = c.current, 0
	if windows > 1 {
		c.previous = 0
	}
}

// scaled returns previous*rest/width, rounded up, and the rest of the division.
func scaled(c *pair, rest int64) (up int64, exact bool) {
	product := new(big.Int).Mul(big.NewInt(c.previous), big.NewInt(rest))
	quotient, over := product.QuoRem(product, big.NewInt(c.width), new(big.Int))
	if over.Sign() == 0 {
		return quotient.Int64(), true
	}
	return quotient.Int64() + 1, false
}

// pairWith returns a sliding window counter with a change.
func pairWith(change func(c *pair)) func(p Policy) oneKey {
	return func(p Policy) oneKey {
		c := &pair{limit: p.Count, width: p.Window, moves: moved,
			now:  func(c *pair, now int64) int64 { return max(now, c.last) },
			rest: func(c *pair, now int64) int64 { return c.width - now%c.width },
			fits: func(c *pair, rest, cost int64) bool {
				estimate, _ := scaled(c, rest)
				return cost == 0 || cost <= c.limit-c.current-estimate
			},
			rejects: func(*pair, int64) {}}
		change(c)
		return c.take
	}
}

// estimates returns a counter with another estimate of the previous window.
func estimates(estimate func(c *pair, rest int64) int64) func(p Policy) oneKey {
	return pairWith(func(c *pair) {
		c.fits = func(c *pair, rest, cost int64) bool {
			return cost == 0 || cost <= c.limit-c.current-estimate(c, rest)
		}
	})
}

var pairMutants = []mutant{
	{name: "rounds the estimate down", key: estimates(func(c *pair, rest int64) int64 {
		up, exact := scaled(c, rest)
		if !exact {
			up--
		}
		return up
	})},
	{name: "rounds the estimate to the nearest", key: estimates(func(c *pair, rest int64) int64 {
		return int64(math.Round(float64(c.previous) * float64(rest) / float64(c.width)))
	})},
	{name: "always rounds the estimate up by one", key: estimates(func(c *pair, rest int64) int64 {
		up, exact := scaled(c, rest)
		if exact && up > 0 {
			up++
		}
		return up
	})},
	{name: "overflows in the estimate", key: estimates(func(c *pair, rest int64) int64 {
		return int64(math.Ceil(float64(c.previous*rest) / float64(c.width)))
	})},
	{name: "estimates in a float32", key: estimates(func(c *pair, rest int64) int64 {
		return int64(math.Ceil(float64(float32(c.previous) * (float32(rest) / float32(c.width)))))
	})},
	{name: "weighs in whole percents", key: estimates(func(c *pair, rest int64) int64 {
		return int64(math.Ceil(float64(c.previous) * math.Round(float64(rest)*100/float64(c.width)) / 100))
	})},
	{name: "needs more than the estimate", key: pairWith(func(c *pair) {
		c.fits = func(c *pair, rest, cost int64) bool {
			estimate, exact := scaled(c, rest)
			free := c.limit - c.current - estimate
			return cost == 0 || cost < free || cost == free && (!exact || c.previous == 0)
		}
	})},
	{name: "views 1 ns more", key: pairWith(func(c *pair) {
		c.rest = func(c *pair, now int64) int64 { return c.width - now%c.width + 1 }
	})},
	{name: "views 1 ns less", key: pairWith(func(c *pair) {
		c.rest = func(c *pair, now int64) int64 { return c.width - now%c.width - 1 }
	})},
	{name: "views what has left the window", key: pairWith(func(c *pair) {
		c.rest = func(c *pair, now int64) int64 { return now % c.width }
	})},
	{name: "keeps the previous window when idle", key: pairWith(func(c *pair) {
		c.moves = func(c *pair, _ int64) { moved(c, 1) }
	})},
	{name: "forgets the previous window", key: pairWith(func(c *pair) {
		c.moves = func(c *pair, _ int64) { moved(c, 2) }
	})},
	{name: "keeps what was empty for a window", key: pairWith(func(c *pair) {
		c.moves = func(c *pair, windows int64) {
			if windows == 2 {
				windows = 1
			}
			moved(c, windows)
		}
	})},
	{name: "counts rejected calls", key: pairWith(func(c *pair) {
		c.rejects = func(c *pair, cost int64) { c.current = integers.Add(c.current, cost) }
	})},
	{name: "counts one for a rejected cost above the limit", key: pairWith(func(c *pair) {
		c.rejects = func(c *pair, cost int64) {
			if cost > c.limit {
				c.current = min(c.current+1, c.limit)
			}
		}
	})},
	{name: "follows a clock that is set back", key: pairWith(func(c *pair) {
		c.now = func(_ *pair, now int64) int64 { return now }
	})},
	{name: "empties when the clock is set back", key: pairWith(func(c *pair) {
		c.now = func(c *pair, now int64) int64 {
			if now < c.last {
				c.current, c.previous = 0, 0
			}
			return max(now, c.last)
		}
	})},
}

func TestMutantsOfTheSlidingLogAreFound(t *testing.T) {
	killAll(t, "sliding-window-log", logWith(func(*slidingLog) {}), logMutants)
}

func TestMutantsOfTheSlidingCounterAreFound(t *testing.T) {
	killAll(t, "sliding-window-counter", pairWith(func(*pair) {}), pairMutants)
}
