package measure

import (
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// changer is a meter that must know when the limit changes. It receives all
// earlier rows before the call of change and all later rows after it.
type changer interface{ change(c counting.Change) }

// limitFrom is the limit of the calendar windows from window on.
type limitFrom struct{ window, limit int64 }

// windowLimits holds the limits of calendar windows, in their order.
type windowLimits []limitFrom

// in returns the limit of a window.
func (l windowLimits) in(window int64) int64 {
	i := len(l) - 1
	for i > 0 && l[i].window > window {
		i--
	}
	return l[i].limit
}

// windowLimits returns the limits of calendar windows. The limit of a window in
// which it changes is the largest of that window.
func (c *Config) windowLimits() windowLimits {
	list := windowLimits{{0, c.Limit}}
	for _, change := range c.Changes {
		window := change.At / c.Window
		if at := window * c.Window; at == change.At {
			list = append(list, limitFrom{window, change.Limit.Count})
			continue
		}
		i := len(list)
		if list[i-1].window == window+1 { // another change in the same window
			i--
		}
		during := max(list[i-1].limit, change.Limit.Count)
		list = append(list[:i], limitFrom{window, during}, limitFrom{window + 1, change.Limit.Count})
	}
	return list
}

// limitAt returns the limit at t.
func (c *Config) limitAt(t int64) int64 {
	limit := c.Limit
	for i := range c.Changes {
		if c.Changes[i].At <= t {
			limit = c.Changes[i].Limit.Count
		}
	}
	return limit
}

// largestLimit returns the largest limit in force in (t-v, t], and the time
// until which later intervals have at least that limit.
func (c *Config) largestLimit(t, v int64) (largest, until int64) {
	from := t - v + 1
	largest, until = c.limitAt(from), math.MaxInt64
	for _, change := range c.Changes {
		if from < change.At && change.At <= t {
			largest = max(largest, change.Limit.Count)
		}
		if change.At > t { // a change after the interval
			until = min(until, change.At)
		}
		if change.At > from { // from then on the interval begins with it
			until = min(until, change.At+v-1)
		}
	}
	return largest, until
}

// granted returns the integral of the limit's count over the span, in count
// times ns.
func (c *Config) granted() *big.Int {
	sum, from, limit := new(big.Int), c.Start, c.limitAt(c.Start)
	for _, change := range c.Changes {
		if change.At > from && change.At < c.End {
			sum.Add(sum, product(limit, change.At-from))
			from, limit = change.At, change.Limit.Count
		}
	}
	return sum.Add(sum, product(limit, c.End-from))
}

// rates returns the limits as rates in a common unit: the first one, and the
// one after each change. ok is false if there is no such unit.
func (c *Config) rates() (first rate, changed []rate, ok bool) {
	first = rateOf(c.Limit, c.Window)
	unit := first.p
	for _, change := range c.Changes {
		p := rateOf(change.Limit.Count, c.Window).p
		more := p / integers.GCD(unit, p)
		if unit > maxUnits/more {
			return first, nil, false
		}
		unit *= more
	}
	in := func(r rate) rate { return newRate(r.n*(unit/r.p), unit) }
	for _, change := range c.Changes {
		changed = append(changed, in(rateOf(change.Limit.Count, c.Window)))
	}
	return in(first), changed, true
}
