package measure

import (
	"math"
	"math/big"
)

// Change is another limit and another burst from an instant on; the window
// stays.
type Change struct {
	At           int64
	Limit, Burst int64
}

// changer is a meter that must know when the limit changes: it has been shown
// what happened before, and has not been shown what happens from then on.
type changer interface{ change(c Change) }

// limitFrom is the limit of the calendar windows from one on.
type limitFrom struct{ window, limit int64 }

// windowLimits are the limits of windows: of one in which the limit changes, the
// largest that it sees.
func (c *Config) windowLimits() []limitFrom {
	list := []limitFrom{{0, c.Limit}}
	for _, change := range c.Changes {
		window := change.At / c.Window
		if at := window * c.Window; at == change.At {
			list = append(list, limitFrom{window, change.Limit})
			continue
		}
		i := len(list)
		if list[i-1].window == window+1 { // another change in the same window
			i--
		}
		during := max(list[i-1].limit, change.Limit)
		list = append(list[:i], limitFrom{window, during}, limitFrom{window + 1, change.Limit})
	}
	return list
}

// limitAt is the limit at an instant.
func (c *Config) limitAt(t int64) int64 {
	limit := c.Limit
	for i := range c.Changes {
		if c.Changes[i].At <= t {
			limit = c.Changes[i].Limit
		}
	}
	return limit
}

// largestLimit is the largest limit in force in (t-v, t], and until when it is
// that of later t at least.
func (c *Config) largestLimit(t, v int64) (largest, until int64) {
	from := t - v + 1
	largest, until = c.limitAt(from), math.MaxInt64
	for _, change := range c.Changes {
		if from < change.At && change.At <= t {
			largest = max(largest, change.Limit)
		}
		if change.At > t { // it will come
			until = min(until, change.At)
		}
		if change.At > from { // it will be what the interval begins with
			until = min(until, change.At+v-1)
		}
	}
	return largest, until
}

// granted is the limit's count times the nanoseconds of the span, added up over
// the limits that the span has seen.
func (c *Config) granted() *big.Int {
	sum, from, limit := new(big.Int), c.Start, c.limitAt(c.Start)
	for _, change := range c.Changes {
		if change.At > from && change.At < c.End {
			sum.Add(sum, product(limit, change.At-from))
			from, limit = change.At, change.Limit
		}
	}
	return sum.Add(sum, product(limit, c.End-from))
}

// rates are the limits as rates that count in a unit they share: the first one,
// and each change's. ok is false where there is no such unit.
func (c *Config) rates() (first rate, changed []rate, ok bool) {
	first = rateOf(c.Limit, c.Window)
	unit := first.p
	for _, change := range c.Changes {
		p := rateOf(change.Limit, c.Window).p
		a, b := unit, p
		for b != 0 {
			a, b = b, a%b
		}
		if unit > maxUnits/(p/a) {
			return first, nil, false
		}
		unit *= p / a
	}
	in := func(r rate) rate {
		n := r.n * (unit / r.p)
		return rate{n: n, p: unit, maxCost: (maxUnits - 1) / unit, maxDrain: maxUnits/n + 1}
	}
	for _, change := range c.Changes {
		changed = append(changed, in(rateOf(change.Limit, c.Window)))
	}
	return in(first), changed, true
}
