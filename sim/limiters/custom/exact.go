package custom

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// exact compares verdicts with those of an exact counter.
type exact struct {
	table     *counting.Follower
	keys      int32 // of one instance
	tolerance int64 // ns
}

// newExact returns the exact counters of a row, with one table for all instances.
func newExact(s *engine.Setting, a *scenarios.Algorithm, keys int) (*exact, error) {
	as, values, err := counterOf(a)
	if err != nil {
		return nil, err
	}
	tolerance := a.Options.Duration("tolerance")
	table, err := counting.NewFollower(tolerance, func() (counting.Table, error) { return counting.NewAtOnce(as, s.Limit, values, keys*instancesOf(s, a)) })
	return &exact{table: table, keys: int32(keys), tolerance: tolerance}, err
}

// counterOf returns the counter that a row names, and its options.
func counterOf(a *scenarios.Algorithm) (as string, values catalog.Values, err error) {
	var options []string
	for _, option := range a.Options.List("as_options") {
		options = append(options, option.(string))
	}
	as = a.Options.String("as")
	if values, err = CounterOptions(as, options); err != nil {
		err = fmt.Errorf("as_options: %w", err)
	}
	return as, values, err
}

// CounterOptions reads options of a counter, each NAME=VALUE.
func CounterOptions(name string, options []string) (catalog.Values, error) {
	fields := catalog.Find(counting.Entries(), name).Fields
	texts := map[string]string{}
	for _, option := range options {
		key, text, given := strings.Cut(option, "=")
		if !given || !slices.ContainsFunc(fields, func(f catalog.Field) bool { return f.Name == key }) {
			return nil, fmt.Errorf("%q is no option of %s, want NAME=VALUE with one of %s", option, name,
				strings.Join(lists.Map(fields, func(f catalog.Field) string { return f.Name }), ", "))
		}
		texts[key] = text
	}
	return scenarios.Options(fields, texts)
}

// compare compares the answers to arrivals from lo on. A time to retry after must not be
// before that of the counter.
func (e *exact) compare(c *caller, a *engine.Arrivals, lo int, answers []outside.Answer) {
	meter := c.trial.Recorder.Differences()
	meter.Compared()
	for i, answer := range answers {
		x := attempt(a, lo+i)
		x.Admitted = answer.Admit
		instance := c.instance(x.Client)
		if agrees := e.follow(meter, instance, x.At, x); !agrees || answer.Admit || answer.RetryAtNs == 0 {
			continue
		}
		at := e.table.RetryAt(e.key(instance, x.Key), x.At, x.Cost)
		if x.EarlyNs = at - answer.RetryAtNs; at != counting.Never && x.EarlyNs > e.tolerance {
			meter.Differs(x)
		}
	}
}

// attempt returns arrival i as a difference may show it.
func attempt(a *engine.Arrivals, i int) measure.Difference {
	return measure.Difference{At: a.Time[i], Attempt: a.First + int64(i), Key: a.Key[i], Client: a.Client[i], Cost: a.Cost[i]}
}

// follow compares the verdict of an instance on an attempt with that of the counter at
// an instant. The counter goes on from its own verdict, except where a difference is
// tolerated: there it follows the limiter. It reports whether the verdicts are the same.
func (e *exact) follow(meter *measure.Differences, instance int32, at int64, x measure.Difference) (same bool) {
	agreement := e.table.Follow(e.key(instance, x.Key), at, x.Cost, x.Admitted)
	switch agreement {
	case counting.Tolerated:
		meter.Tolerated(x.At)
	case counting.Differs:
		meter.Differs(x)
	}
	return agreement == counting.Same
}

// key returns the counter's key for that of an instance.
func (e *exact) key(instance, key int32) int32 { return instance*e.keys + key }
