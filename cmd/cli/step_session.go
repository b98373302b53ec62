package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
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

// ofTopology reports whether a field is one of a topology, which halves have too.
func ofTopology(name string) bool { return name == "clients" || name == "servers" }

// stepSets returns the options that --set gives to what is called name: NAME.OPTION=VALUE,
// or a field of a topology.
func stepSets(name string, sets []string) (map[string]string, error) {
	given := map[string]string{}
	for _, set := range sets {
		path, value, ok := strings.Cut(set, "=")
		option, own := strings.CutPrefix(strings.TrimPrefix(path, "algorithms."), name+".")
		if own = own && !ofTopology(option); !own {
			option, own = strings.CutPrefix(path, "topology.")
			own = own && ofTopology(option)
		}
		if !ok || !own {
			return nil, usage.Errorf("--set %s: want %s.OPTION=VALUE, topology.clients=N or topology.servers=N", set, name)
		}
		given[option] = value
	}
	return given, nil
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

// fields returns the options of what a name selects: those that a caller may set, or all.
func (s stepped) fields(settable bool) []catalog.Field {
	if s.enforcement == "" {
		return step.Entry(s.counter).Fields
	}
	return step.Fields(s.enforcement, s.counter, settable)
}

func newSession(name, limit string, given map[string]string) (*step.Session, error) {
	what, ok := findStepped(name)
	if !ok {
		return nil, notStepped(name)
	}
	fields := what.fields(true)
	for _, option := range slices.Sorted(maps.Keys(given)) {
		if catalog.Find(fields, option) == nil {
			return nil, usage.Errorf("--set: %s has no option %q%s", name, option, scenarios.Suggest(option, catalog.Names(fields)))
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
	options, err := scenarios.Options(what.fields(false), given)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	policy := counting.Limit{Count: rate.Count, Window: rate.Per, Burst: rate.Count}
	var session *step.Session
	if what.enforcement == "" {
		session, err = step.New(what.counter, policy, options)
	} else {
		session, err = step.NewPair(what.enforcement, policy, options)
	}
	if err != nil {
		return nil, usage.Wrong(err)
	}
	return session, nil
}
