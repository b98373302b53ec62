package gauge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters/custom"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Package cmd, which runs rows outside of a test, gets their limiters through package
// outside, since this package promises its exported names.
func init() {
	outside.OfRows = func(rows any) (outside.Maker, []catalog.Preset, error) { return ofRows(rows.([]Row)) }
}

// ofRows returns what makes the limiters of rows, and their declarations for scenario
// files. It returns an error if a row cannot run or its name is taken.
func ofRows(rows []Row) (outside.Maker, []catalog.Preset, error) {
	h, err := newHost(nil, rows)
	if err != nil {
		return nil, nil, err
	}
	return h.make, h.presets, nil
}

// presets returns the rows as declarations that a scenario file can name, or an error
// if a name is taken.
func presets(rows []Row) ([]catalog.Preset, error) {
	known := sim.Catalog()
	var list []catalog.Preset
	for i := range rows {
		r := &rows[i]
		if catalog.Find(known.Presets, r.name) != nil || r.name == "reference" || r.name == scenarios.Recorded {
			return nil, fmt.Errorf("a row cannot be called %s: limitgauge has a limiter of that name", r.name)
		}
		if err := r.readAs(); err != nil {
			return nil, fmt.Errorf("%s: As: %w", r.name, err)
		}
		list = append(list, catalog.Preset{
			Name: r.name, Enforcement: custom.Limiter.Entry.Name, Options: r.options(),
			Summary: "a limiter of this program, by package gauge",
			Idea:    r.idea(), Bound: "unknown", Source: "this program",
		})
	}
	return list, nil
}

// readAs reads the counter that As names and its options.
func (r *Row) readAs() error {
	if r.as == "" {
		return nil
	}
	if names := catalog.Names(counting.Entries()); !slices.Contains(names, r.as) {
		return fmt.Errorf("no counter is called %q, want one of %s", r.as, strings.Join(names, ", "))
	}
	var err error
	r.asValues, err = custom.CounterOptions(r.as, r.asOptions)
	return err
}

// options returns the options of the row in a scenario file.
func (r *Row) options() map[string]string {
	options := map[string]string{}
	set := func(name string, yes bool, text string) {
		if yes {
			options[name] = text
		}
	}
	set("instances", r.perClient, "per-client")
	set("waits", r.kind == reserves || r.kind == waits, "true")
	set("max_wait", r.maxWait > 0, r.maxWait.String())
	set("draws", r.draws, "true")
	set("as", r.as != "", r.as)
	set("as_options", len(r.asOptions) > 0, "["+strings.Join(r.asOptions, ", ")+"]")
	set("tolerance", r.tolerance > 0, r.tolerance.String())
	return options
}

// idea describes the row in one sentence.
func (r *Row) idea() string {
	parts := []string{"Go code that implements gauge." + string(r.kind)}
	if r.perKey {
		parts = append(parts, "one limiter for each key")
	}
	if r.turns != together {
		parts = append(parts, "calls in turn")
	}
	return strings.Join(parts, ", ") + "."
}
