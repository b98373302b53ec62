package rlqs

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// subscriber is a server's state for one client of a key.
type subscriber struct {
	client   int32
	demand   Capacity
	assigned Capacity
	until    int64 // ns; the assignment has expired at its client, or never arrived, from then on
	heardAt  int64 // ns, latest report
}

// ledger holds the subscribers of one key, in the order in which they subscribed.
type ledger struct {
	list   []subscriber
	listed bool // in Server.active
}

// of returns the subscriber of a client, or -1.
func (l *ledger) of(client int32) int {
	return slices.IndexFunc(l.list, func(s subscriber) bool { return s.client == client })
}

// outstanding returns the sum of the assignments that other clients may still use.
func (l *ledger) outstanding(but int, now int64) (sum Capacity) {
	for i := range l.list {
		if i != but && l.list[i].until > now {
			sum += l.list[i].assigned
		}
	}
	return sum
}

// terms are what the share of one subscriber depends on besides its demand.
type terms struct {
	limit Capacity
	even  Capacity // Fair: the level below which demands are met in full
	spare Capacity // Fair: what each gets beyond its demand
	sum   Capacity // Proportional: of the demands
}

// terms returns the terms of a division of limit.
func (l *ledger) terms(c *Config, limit Capacity) terms {
	t := terms{limit: limit, even: math.MaxInt64}
	demands := make([]Capacity, len(l.list))
	for i := range l.list {
		demands[i] = l.list[i].demand
		t.sum += demands[i]
	}
	if c.Allocation != Fair {
		return t
	}
	slices.Sort(demands)
	left := limit
	for i, demand := range demands {
		if level := left / int64(len(demands)-i); demand > level {
			t.even = level
			return t
		}
		left -= demand
	}
	t.spare = left / max(int64(len(demands)), 1)
	return t
}

// share returns the share of a subscriber with this demand. others is the sum of the
// assignments that other clients hold; the share leaves them if the allocation is
// Greedy or conserves.
func (t *terms) share(c *Config, demand, others Capacity) (share Capacity) {
	switch {
	case c.Allocation == Whole:
		return t.limit
	case c.Allocation == Greedy:
		share = demand
	case c.Allocation == Fair:
		share = min(demand, t.even) + t.spare
	default:
		share = integers.MulDiv(demand, t.limit, t.sum, t.limit)
	}
	if c.Allocation == Greedy || c.Conserves {
		share = min(share, max(t.limit-others, 0))
	}
	return share
}
