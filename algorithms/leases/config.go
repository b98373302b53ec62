package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Sharing is how a server shares the capacity out.
type Sharing uint8

const (
	Proportional Sharing = iota
	Fair
)

// WithoutLease is what a client does after its lease has expired.
type WithoutLease uint8

const (
	Safe WithoutLease = iota
	Pessimistic
	Optimistic
)

// Capacity is a rate in the units of the Config's Scale. Doorman computes in
// floating point; here capacities are integers, rounded down.
type Capacity = int64

// Config describes the protocol. Its clients and servers share one Config. Times
// are nanoseconds.
type Config struct {
	capacity.Divided
	Sharing      Sharing      `option:"sharing=proportional|fair"`
	Lease        int64        `option:"lease"`
	Refresh      int64        `option:"refresh"`
	Learning     int64        `option:"learning"`
	Learns       bool         `option:"first=learning"` // servers start in learning mode
	Timeout      int64        `option:"timeout"`
	Retry        int64        `option:"retry"`
	RetryAtMost  int64        `option:"retry_at_most"`
	WithoutLease WithoutLease `option:"without_lease=safe|pessimistic|optimistic"`
	SafeGiven    bool
	SafeCapacity Capacity   // if SafeGiven; otherwise the server's answer has it
	Seconds      int        `option:"seconds"` // that a client estimates its demand from
	Wants        []Capacity // of client 0, 1 …; without them each estimates its demand
	FirstWants   Capacity   // with a key's first request, before there is an estimate
	LeastWants   Capacity   // so that a rarely used key has a lease
	Idle         int64      `option:"idle"` // ns without a request after which a lease is given back
}

// ConfigFrom reads a Config from the bound fields of Entry and of the counter. It
// returns an error for options that do not work together.
func ConfigFrom(v catalog.Values, limit counting.Limit, clients int) (Config, error) {
	lease := v.Duration("lease")
	divided, err := capacity.Divide(v, limit, "leases", "a bucket is full when its client's first lease arrives")
	c := Config{Divided: divided, Learning: lease, Idle: lease, SafeGiven: v.Set("safe_capacity")}
	v.Read(&c)
	wants := v.Choice("wants").Values
	wants.Read(&c)
	if err != nil {
		return c, err
	}
	if c.SafeGiven {
		c.SafeCapacity = c.Of(v.Rate("safe_capacity"))
	}
	c.FirstWants = c.Limit / int64(max(clients, 1))
	c.LeastWants = max(1, c.Rate(c.Unit, c.Refresh))
	for _, r := range wants.List("rates") {
		c.Wants = append(c.Wants, c.Of(r.(units.Rate)))
	}
	return c, nil
}

// Admits returns an error if a client's bucket can never hold a request of this
// cost while its lease is an even part of the limit.
func (c *Config) Admits(cost int64, clients int) error {
	return c.Holds(cost, c.Limit/int64(max(clients, 1)))
}

// Backoff returns the wait before a retry after this many failures: Retry, 1.3
// times as long after each failure, at most RetryAtMost.
func (c *Config) Backoff(failures int) int64 {
	wait := min(c.Retry, c.RetryAtMost)
	for ; failures > 0 && wait < c.RetryAtMost; failures-- {
		wait = min(integers.MulDiv(wait, 13, 10, never), c.RetryAtMost)
	}
	return wait
}
