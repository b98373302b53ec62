package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
	"github.com/limitgauge/limitgauge/sim"
)

// longestAttack limits the simulated time in ns.
const longestAttack = 10 * 365 * 24 * int64(time.Hour)

// The windows of an attack: at most, and by default at least and for how long in ns.
// In a little more than a minute a limiter does what it does once a minute.
const (
	mostWindows  = 1000
	leastWindows = 10
	leastTime    = 65 * int64(time.Second)
)

// duration returns the simulated time in ns for windows of a length in ns.
func (p *attacking) duration(window int64) (int64, error) {
	windows := cmp.Or(int64(p.windows), min(mostWindows, max(leastWindows, (leastTime+window-1)/window)))
	if window > longestAttack/windows {
		return 0, usage.Errorf("--windows: %d windows of %s are longer than 10 years", windows, units.FormatDuration(window))
	}
	return windows * window, nil
}

// load returns a file with the attacked algorithm alone in one scenario, whose only
// traffic is a list.
func (p *attacking) load(a *app, c *cobra.Command, name string, files *inputs.FileSet) (*scenarios.File, error) {
	preset := a.isAlgorithm(name)
	if !preset && name != "-" && !inputs.IsSuite(name) && !inputs.IsThere(name) {
		return nil, noSuchAlgorithm(name)
	}
	wrong, why := ofFile, "chooses from a scenario file, and %s is an algorithm"
	if !preset {
		wrong, why = ofAlgorithm, "the scenario of the file %s decides it"
	}
	if i := slices.IndexFunc(wrong, c.Flags().Changed); i >= 0 {
		return nil, usage.Errorf("--%s: "+why, wrong[i], name)
	}
	switch {
	case p.replications < 1 || p.replications > 1000:
		return nil, usage.Errorf("--replications: want 1 to 1000, not %d", p.replications)
	case c.Flags().Changed("windows") && (p.windows < 2 || p.windows > mostWindows):
		return nil, usage.Errorf("--windows: want 2 to %d, not %d", mostWindows, p.windows)
	case !preset:
		return p.fromFile(a, c.Context(), name, files)
	case p.described.limit == "":
		return nil, errNoLimit
	}
	if err := files.Check(); err != nil {
		return nil, err
	}
	text, err := p.text(c, name)
	if err != nil {
		return nil, err
	}
	f, problems := scenarios.LoadSound("attack", text, ".", a.Catalog(), scenarios.Overrides{Sets: p.described.sets})
	if len(problems) > 0 {
		return nil, flagProblems(problems, settingFlag)
	}
	return f, nil
}

// isAlgorithm reports whether an argument is the name of an algorithm rather than a file.
func (a *app) isAlgorithm(name string) bool { return catalog.Find(a.Catalog().Presets, name) != nil }

func noSuchAlgorithm(name string) error {
	return usage.Errorf("%s: no algorithm has this name, and there is no such file%s", name, scenarios.Suggest(name, describe.Names("algorithms")))
}

var errNoLimit = usage.Errorf("--limit is required: requests per period, such as --limit 100/s")

// text writes the flags but --set as a scenario file. The value of --network is YAML
// already.
func (p *attacking) text(c *cobra.Command, name string) ([]byte, error) {
	s := p.described
	s.rate, s.arrivals = "1/s", "constant"
	limit, err := units.ParseLimit(s.limit)
	if err != nil {
		return nil, usage.Errorf("--limit: %w", err)
	}
	end, err := p.duration(limit.Per)
	if err != nil {
		return nil, err
	}
	s.duration = units.FormatDuration(end)
	text, err := s.text(c, name, "attack")
	if err != nil {
		return nil, err
	}
	replaced := strings.NewReplacer("replications: 5", fmt.Sprintf("replications: %d", p.replications),
		`[{pattern: "constant", rate: "1/s"}]`, "[{pattern: list, events: [{at: 0s}]}]")
	return []byte(replaced.Replace(string(text))), nil
}

// listEntry is a scenario whose only traffic is a list.
const listEntry = `version: 1
scenarios:
  - {name: list, duration: 1s, policy: {limit: 1/s}, traffic: [{pattern: list, events: [{at: 0s}]}], algorithms: [%s]}
`

// fromFile returns a scenario of a file with one algorithm, its traffic replaced.
func (p *attacking) fromFile(a *app, ctx context.Context, name string, files *inputs.FileSet) (*scenarios.File, error) {
	inputs.Scenarios("the scenario file", name)(files)
	if err := files.Check(); err != nil {
		return nil, err
	}
	f, err := a.oneScenario(ctx, name, p.scenario, p.described.sets)
	if err != nil {
		return nil, err
	}
	s := &f.Scenarios[0]
	i := slices.IndexFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == p.algorithm })
	switch {
	case len(s.Workers()) > 0:
		return nil, usage.Errorf("scenario %q has workers, whose calls follow the answers, and attack chooses requests", s.Name)
	case len(s.Further) > 0:
		return nil, usage.Errorf("scenario %q has several policies, and attack chooses requests of one", s.Name)
	case p.algorithm == "" && len(s.Algorithms) == 1:
		i = 0
	case p.algorithm == "":
		return nil, usage.Errorf("scenario %q compares %d algorithms: --algorithm says which", s.Name, len(s.Algorithms))
	case i < 0:
		return nil, usage.Errorf("scenario %q does not compare an algorithm called %q", s.Name, p.algorithm)
	}
	list, problems := scenarios.Load("attack", fmt.Appendf(nil, listEntry, a.Catalog().Presets[0].Name), ".", a.Catalog())
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	s.Traffic, s.Algorithms, s.Expect, s.Columns = list.Scenarios[0].Traffic, s.Algorithms[i:i+1], nil, nil
	s.Replications, s.Warmup, f.Curves = p.replications, 0, nil
	end, err := p.duration(s.LongestWindow())
	if err != nil {
		return nil, err
	}
	if len(s.Faults) == 0 {
		s.Duration = end // faults must begin before the end
	} else if s.Duration == 0 {
		return nil, usage.Errorf("scenario %q has faults and no duration", s.Name)
	}
	s.Traffic[0].To = s.Duration
	return f, nil
}

// budgetFor returns the default budget of trials of a scenario with at most this
// number of requests. To start a program takes longer than a trial.
func budgetFor(s *scenarios.Scenario, requests int64) int64 {
	trials := int64(2000)
	if s.Algorithms[0].Options.Set("exec") {
		trials = 500
	}
	return min(10_000_000, trials*max(requests, attack.LeastCharge))
}

// limitRate sets the least distance of requests, and their number to what fits into
// the time unless flags say it.
func (p *attacking) limitRate(o *attack.Options, f *scenarios.File, rate units.Rate) error {
	if rate.Count < 1 || rate.Per < rate.Count {
		return usage.Errorf("--rate: %s is not between 0 and 1 request per ns", rate)
	}
	o.Apart = (rate.Per + rate.Count - 1) / rate.Count
	if p.requests == "" {
		time := min(f.Scenarios[0].Duration, leastWindows*f.Scenarios[0].LongestWindow())
		o.Requests = max(2, min(mostRequests, time/o.Apart))
	}
	if p.budget == "" {
		o.Budget = min(budgetFor(&f.Scenarios[0], o.Requests), 2_000_000)
	}
	return nil
}
