package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/advice"
	"github.com/limitgauge/limitgauge/sim"
)

// defaultLeast is the cost of an algorithm that is named, and defaultPromises what it must
// keep, unless flags say otherwise.
const defaultLeast = "server_calls_per_s"

var defaultPromises = []string{"over_limit_pct <= 5", "under_admission_pct <= 5"}

// names finds out whether the argument names an algorithm. Flags that go with a file do not
// go with one, and the other way round.
func (t *tuneFlags) names(a *app, c *cobra.Command, name string) error {
	t.named = a.isAlgorithm(name)
	switch {
	case !t.named && c.Flags().Changed("limit") && !inputs.IsSuite(name) && !inputs.IsThere(name):
		return noSuchAlgorithm(name)
	case !t.named:
		return undescribed(c)
	case t.described.limit == "":
		return errNoLimit
	}
	if i := slices.IndexFunc(ofFile, c.Flags().Changed); i >= 0 {
		return usage.Errorf("--%s: chooses from a scenario file, and %s is an algorithm", ofFile[i], name)
	}
	t.least = cmp.Or(t.least, defaultLeast)
	if len(t.promises) == 0 {
		t.promises = defaultPromises
	}
	return nil
}

// source returns the scenario file, or the one that flags describe.
func (t *tuneFlags) source(a *app, c *cobra.Command, name string) (inputs.Source, error) {
	if !t.named {
		return inputs.ReadSource(a.Host, name)
	}
	t.described.sets = t.Sets
	f, err := t.described.described(a, c, name)
	if err != nil {
		return inputs.Source{}, err
	}
	return inputs.Source{Name: name, Dir: ".", Text: f.Source}, nil
}

// optionGrid returns the grid of the options of an algorithm in the scenarios without axes
// that compare it, each option changed alone. It returns nil if there are axes.
func (t *tuneFlags) optionGrid(a *app, c *cobra.Command, src inputs.Source, o scenarios.Overrides, run sim.Options) (*tunedParts, error) {
	f, problems := scenarios.LoadSound(src.Name, src.Text, src.Dir, a.Catalog(), o)
	if len(problems) > 0 || len(t.vary) > 0 || f.Override(o) != nil || slices.ContainsFunc(f.Scenarios, func(s scenarios.Scenario) bool { return len(s.Axes) > 0 }) {
		return nil, nil // what is wrong shows where the axes are read
	}
	if err := t.known(f.Scenarios); err != nil {
		return nil, err
	}
	all := lists.Distinct(slices.Concat(lists.Map(f.Scenarios, func(s scenarios.Scenario) []string { return t.tried(&s) })...))
	if len(all) > 1 {
		flags := []string{fmt.Sprintf("--algorithm NAME, because no scenario has axes and there are %d algorithms (%s): options of one are changed one at a time, or give axes with --vary",
			len(all), strings.Join(lists.Map(all, scenarios.Clip), ", "))}
		if len(t.promises) == 0 && !slices.ContainsFunc(f.Scenarios, func(s scenarios.Scenario) bool { return len(s.Expect) > 0 }) {
			flags = append(flags, promiseFlag+", because nothing is stated under expect:")
		}
		return nil, t.missing(flags...)
	}
	t.algorithms = all
	f.Scenarios = lists.Where(f.Scenarios, func(s scenarios.Scenario) bool { return len(t.tried(&s)) > 0 })
	s := &f.Scenarios[0]
	one := &s.Algorithms[slices.Index(algorithmsOf(s), all[0])]
	run.Logs = &sim.Logs{}
	defer run.Logs.Close()
	grid := f.Alone(one, advice.Options(scenarios.OptionFields(sim.Catalog(), one), one.Options, s.Policy), o, func(f *scenarios.File) bool {
		problems, err := sim.CheckRun(c.Context(), f, run)
		return err == nil && len(problems) == 0
	})
	if grid.Len() == 0 {
		return nil, usage.Errorf("%s has no option that tune could change: give axes with --vary", scenarios.Clip(all[0]))
	}
	t.alone = true
	return &tunedParts{grid, grid, len(f.Scenarios)}, nil
}
