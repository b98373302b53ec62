package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/step"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters/central"
)

// stepped is what a name on the command line of step selects: a counter, or with
// an enforcement its halves over the counter.
type stepped struct {
	enforcement, counter string
	options              map[string]string // of a preset
}

// findStepped returns what a name selects. ok is false if it cannot be stepped.
func findStepped(name string) (s stepped, ok bool) {
	for _, p := range sim.Catalog().Presets {
		switch {
		case p.Name != name:
		case p.Enforcement == central.Limiter.Entry.Name:
			return stepped{counter: p.Counter, options: p.Options}, true
		case slices.Contains(step.Enforcements(), p.Enforcement):
			return stepped{p.Enforcement, p.Counter, p.Options}, true
		}
	}
	return stepped{counter: name}, step.Entry(name) != nil
}

// steppedNames returns every name that step takes: counters, then presets.
func steppedNames() []string {
	presets := lists.Where(catalog.Names(sim.Catalog().Presets), func(name string) bool {
		_, ok := findStepped(name)
		return ok
	})
	return lists.Distinct(append(step.Counters(), presets...))
}

// stepOption is an option of a counter or of an enforcement.
type stepOption struct {
	catalog.Field
	owner string
}

// stepOptions returns the options of everything that can be stepped.
func stepOptions() (options []stepOption) {
	add := func(owner string, fields []catalog.Field) {
		for _, f := range fields {
			options = append(options, stepOption{f, owner})
		}
	}
	for _, name := range step.Counters() {
		add(name, step.Entry(name).Fields)
	}
	for _, name := range step.Enforcements() {
		add(name, step.Fields(name, "", true))
	}
	return options
}

// notStepped returns the error for a name that cannot be stepped. For an
// enforcement, or a preset of one, it says what can.
func notStepped(name string) error {
	enforcement := ""
	for _, p := range sim.Catalog().Presets {
		if name == p.Name || name == p.Enforcement {
			enforcement = p.Enforcement
		}
	}
	if enforcement == "" {
		return usage.Errorf("no counter is called %q%s", name, scenarios.Suggest(name, steppedNames()))
	}
	presets := catalog.Names(lists.Where(sim.Catalog().Presets, func(p catalog.Preset) bool { return slices.Contains(step.Enforcements(), p.Enforcement) }))
	return usage.Errorf("%s cannot be stepped: step has no calls for enforcement %s; it steps counters (%s) and %s (%s)",
		name, enforcement, strings.Join(step.Counters(), ", "), strings.Join(step.Enforcements(), ", "), strings.Join(presets, ", "))
}

func newSession(name, limit string, given map[string]string) (*step.Session, error) {
	what, ok := findStepped(name)
	if !ok {
		return nil, notStepped(name)
	}
	fields, bound := []catalog.Field(nil), []catalog.Field(nil)
	if what.enforcement == "" {
		fields = step.Entry(what.counter).Fields
		bound = fields
	} else {
		fields = step.Fields(what.enforcement, what.counter, true)
		bound = step.Fields(what.enforcement, what.counter, false)
	}
	for _, option := range slices.Sorted(maps.Keys(given)) {
		if catalog.Find(fields, option) == nil {
			return nil, usage.Errorf("%s has no option --%s", cmp.Or(what.enforcement, what.counter), strings.ReplaceAll(option, "_", "-"))
		}
	}
	defaultLimit, defaults := step.Defaults(what.counter)
	for _, unless := range []map[string]string{what.options, defaults} {
		for option, text := range unless {
			if _, ok := given[option]; !ok {
				given[option] = text
			}
		}
	}
	rate, err := units.ParseLimit(cmp.Or(limit, defaultLimit))
	if err != nil {
		return nil, usage.Errorf("--limit: %w", err)
	}
	options, err := scenarios.Options(bound, given)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	policy := counter.Limit{Count: rate.Count, Window: rate.Per, Burst: rate.Count}
	var session *step.Session
	if what.enforcement == "" {
		session, err = step.New(what.counter, policy, options)
	} else {
		session, err = step.NewPair(what.enforcement, what.counter, policy, options)
	}
	if err != nil {
		return nil, usage.Wrong(err)
	}
	return session, nil
}
