package custom

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// caller asks the limiters of one trial.
type caller struct {
	trial     *engine.Trial
	fleet     outside.Fleet
	levels    outside.Leveler // the same fleet, if it knows its state; otherwise nil
	exact     *exact          // nil unless the row says how its limiters should decide
	queue     *exactQueue     // the same for limiters that wait
	perClient bool
	cause     counting.Cause // of decisions
	names     []string       // of keys, as far as they have been needed
	requests  []outside.Request
	answers   []outside.Answer
}

func newCaller(t *engine.Trial, fleet outside.Fleet) (*caller, error) {
	c := &caller{
		trial: t, fleet: fleet, perClient: t.Algorithm.Options.String("instances") == "per-client",
		names: make([]string, t.Keys),
	}
	c.makeBlock()
	if c.perClient {
		c.cause = counting.ByLocal
	}
	c.levels, _ = fleet.(outside.Leveler)
	if t.Retries != nil && t.Retries.NeedsTime() && c.levels == nil {
		return nil, &outside.Refused{Row: t.Algorithm.Name, Reason: "callers that retry after the time that the limiter names need a limiter that names one, and whose calls take no virtual time, or otherwise: a backoff"}
	}
	return c, c.compareWith(t.Setting, t.Algorithm, t.Keys)
}

// compareWith makes the exact counters of a row that names one.
func (c *caller) compareWith(s *engine.Setting, a *scenarios.Algorithm, keys int) (err error) {
	switch {
	case !a.Options.Set("as"):
	case a.Options.Bool("waits"):
		c.queue, err = newExactQueue(s, a, keys)
	default:
		c.exact, err = newExact(s, a, keys)
	}
	return err
}

// keyName returns the name of a key as the traffic has it.
func (c *caller) keyName(key int32) string {
	if c.names[key] == "" {
		c.names[key] = c.trial.KeyName(key)
	}
	return c.names[key]
}

// instance returns the index of the limiter that decides for a client.
func (c *caller) instance(client int32) int32 {
	if c.perClient {
		return client
	}
	return 0
}

// prepare returns arrivals lo..hi-1 as requests. They are valid until the next call.
func (c *caller) prepare(a *engine.Arrivals, lo, hi int) []outside.Request {
	requests := c.requests[:hi-lo]
	for i := range requests {
		r := &requests[i]
		r.AtNs, r.Cost, r.Key, r.Client = a.Time[lo+i], a.Cost[lo+i], c.keyName(a.Key[lo+i]), c.instance(a.Client[lo+i])
	}
	return requests
}

// ask returns the answers to requests, or nil after a failure, which ends the job.
func (c *caller) ask(requests []outside.Request) []outside.Answer {
	if c.trial.Outside.Failed() {
		return nil
	}
	answers := c.answers[:len(requests)]
	if err := c.fleet.Decide(requests, answers); err != nil {
		c.trial.Outside.Fail(c.trial.Algorithm.Name, err)
		c.makeBlock() // a call that hangs may still use the old one
		return nil
	}
	return answers
}

// makeBlock makes a block of requests and answers.
func (c *caller) makeBlock() {
	c.requests, c.answers = make([]outside.Request, traffic.BlockSize), make([]outside.Answer, traffic.BlockSize)
}

// Inspect returns the cost that a client could still admit for a key at now, and the
// time from which a request of this cost would be admitted, as far as the limiter
// knows them.
func (c *caller) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	if c.levels == nil || c.trial.Outside.Failed() {
		return engine.UnknownLevel, counting.Never
	}
	return c.levels.Level(c.instance(client), c.keyName(key), now, cost)
}
