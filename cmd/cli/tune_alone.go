package cli

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
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

// optionGrid returns the grid of the options of the only algorithm of a scenario without
// axes, each of them changed alone. It returns nil if there are axes.
func (t *tuneFlags) optionGrid(a *app, c *cobra.Command, src inputs.Source, o scenarios.Overrides, run sim.Options) (*scenarios.Grid, error) {
	f, problems := scenarios.LoadSound(src.Name, src.Text, src.Dir, a.Catalog(), o)
	if len(problems) > 0 || len(t.vary) > 0 || f.Override(o) != nil || len(f.Scenarios) != 1 || len(f.Scenarios[0].Axes) > 0 {
		return nil, nil // what is wrong shows where the axes are read
	}
	s := &f.Scenarios[0]
	i := 0
	if len(t.algorithms) == 1 {
		i = slices.IndexFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == t.algorithms[0] })
	} else if len(s.Algorithms) > 1 {
		return nil, usage.Errorf("%s has no axes, and %d algorithms: choose one with --algorithm, whose options are then changed one at a time, or give axes with --vary",
			scenarios.Clip(s.Name), len(s.Algorithms))
	}
	if i < 0 {
		return nil, usage.Errorf("scenario %s does not compare an algorithm called %q", scenarios.Clip(s.Name), t.algorithms[0])
	}
	t.algorithms = []string{s.Algorithms[i].Name}
	run.Logs = &sim.Logs{}
	defer run.Logs.Close()
	grid := f.Alone(&s.Algorithms[i], advice.Options(optionFields(&s.Algorithms[i]), s.Algorithms[i].Options, s.Policy), o, func(f *scenarios.File) bool {
		problems, err := sim.CheckRun(c.Context(), f, run)
		return err == nil && len(problems) == 0
	})
	if grid.Len() == 0 {
		return nil, usage.Errorf("%s has no option that tune could change: give axes with --vary", scenarios.Clip(t.algorithms[0]))
	}
	t.alone = true
	return grid, nil
}
