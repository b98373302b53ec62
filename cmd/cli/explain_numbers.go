package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// setting holds the flags of explain, tune and attack that describe a scenario.
type setting struct {
	file, scenario        string // of explain alone
	limit, rate, arrivals string
	network, duration     string
	sets                  []string
	burst                 int64
	clients, servers      int
	yes                   bool
}

func (s *setting) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.limit, "limit", "", "the `LIMIT` that an algorithm enforces, such as 1000/s")
	f.StringVar(&s.rate, "rate", "", "offered `RATE`; three times the limit unless given")
	f.StringVar(&s.arrivals, "arrivals", "poisson", "`HOW` requests arrive: poisson or constant")
	f.StringVar(&s.duration, "duration", "", "simulated `TIME` with the warm-up; 30s unless given, or ten windows if that is longer")
	s.limiterFlags(c, 20)
}

// limiterFlags adds the flags that describe a limiter and its fleet.
func (s *setting) limiterFlags(c *cobra.Command, clients int) {
	f := c.Flags()
	f.Int64Var(&s.burst, "burst", 0, "depth of buckets in `REQUESTS`; the limit's count unless given")
	f.IntVar(&s.clients, "clients", clients, "`N` clients")
	f.IntVar(&s.servers, "servers", 1, "`N` servers of the limiter")
	f.StringVar(&s.network, "network", "0s", "`LATENCY` of a call: 5ms, or {lognormal: {p50: 1ms, p99: 15ms}}")
}

// described lists the flags that describe a scenario if no file does.
var described = []string{"limit", "rate", "arrivals", "burst", "clients", "servers", "network", "duration", "pattern", "reference"}

// undescribed returns an error if a flag describes the scenario that a file decides.
func undescribed(c *cobra.Command) error {
	if i := slices.IndexFunc(described, c.Flags().Changed); i >= 0 {
		return usage.Errorf("--%s: the scenario of the file decides it", described[i])
	}
	return nil
}

// asked reports whether the flags ask for numbers.
func (s *setting) asked(c *cobra.Command) (bool, error) {
	if s.file != "" {
		return true, undescribed(c)
	}
	if s.limit != "" {
		return true, nil
	}
	numbers := append([]string{"scenario", "set"}, described...)
	if i := slices.IndexFunc(numbers, c.Flags().Changed); i >= 0 {
		return false, usage.Errorf("--%s: numbers need a --limit, or a scenario --in a file", numbers[i])
	}
	return false, nil
}

// load returns the scenario with only the named algorithm.
func (s *setting) load(a *app, c *cobra.Command, name string) (*scenarios.File, error) {
	var f *scenarios.File
	var err error
	if s.file != "" {
		f, err = a.oneScenario(c.Context(), s.file, s.scenario, s.sets)
	} else {
		f, err = s.described(a, c, name)
	}
	if err != nil {
		return nil, err
	}
	only := &f.Scenarios[0]
	i := slices.IndexFunc(only.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == name })
	if i < 0 {
		return nil, usage.Errorf("scenario %s does not compare an algorithm called %q", only.Name, name)
	}
	only.Algorithms, only.Expect = only.Algorithms[i:i+1], nil
	warmUp(only)
	return f, nil
}

// oneScenario returns a file with one scenario, the named one or the only one, and these
// settings.
func (a *app) oneScenario(ctx context.Context, file, scenario string, sets []string) (*scenarios.File, error) {
	o := scenarios.Overrides{Sets: sets}
	if scenario != "" {
		o.Only = []string{scenario}
	}
	f, err := inputs.LoadScenarios(ctx, a.Host, file, o)
	if err == nil && len(f.Scenarios) != 1 {
		return nil, usage.Errorf("%s has %d scenarios: --scenario says which", file, len(f.Scenarios))
	}
	return f, err
}

// described returns the scenario of the flags, with a warm-up.
func (s *setting) described(a *app, c *cobra.Command, name string) (*scenarios.File, error) {
	text, err := s.text(c, name, name)
	if err != nil {
		return nil, err
	}
	f, problems := scenarios.LoadSound(name, text, ".", a.Catalog(), scenarios.Overrides{Sets: s.sets})
	if len(problems) > 0 {
		return nil, flagProblems(problems, settingFlag)
	}
	for _, w := range f.Scenarios[0].Warnings {
		fmt.Fprintf(a.Err, "warning: %s\n", flagLine(w, settingFlag))
	}
	if warmUp(&f.Scenarios[0]); f.Scenarios[0].Warmup > 0 {
		f.Source = fmt.Appendf(text, "warmup: %s\n", units.FormatDuration(f.Scenarios[0].Warmup))
	}
	return f, nil
}

// steadyAfter is the number of windows after which explain measures.
const steadyAfter = 3

// warmUp leaves the start out of a scenario: the first three windows, or more if
// the scenario has a longer warm-up. It does not change a trace, and a scenario
// that would lose more than half of its time.
func warmUp(s *scenarios.Scenario) {
	if start := steadyAfter * s.LongestWindow(); s.Duration >= 2*start {
		s.Warmup = max(s.Warmup, start)
	}
}

// text writes the flags but --set as a scenario file with one scenario of this title. The
// value of --network is YAML already.
func (s *setting) text(c *cobra.Command, name, title string) ([]byte, error) {
	limit, err := units.ParseLimit(s.limit)
	if err != nil {
		return nil, usage.Errorf("--limit: %w", err)
	}
	rate := cmp.Or(s.rate, units.Rate{Count: 3 * limit.Count, Per: limit.Per}.String())
	duration := cmp.Or(s.duration, units.FormatDuration(max(30e9, 10*limit.Per)))
	policy := fmt.Sprintf("limit: %q", s.limit)
	if c.Flags().Changed("burst") {
		policy += fmt.Sprintf(", burst: %d", s.burst)
	}
	if strings.ContainsAny(s.network, "\n\r") {
		return nil, usage.Errorf("--network: want one line")
	}
	return fmt.Appendf(nil, `version: 1
duration: %q
replications: 5
algorithms:
  %q: {preset: %[2]q}
scenarios:
  - name: %q
    policy: {%s}
    topology: {clients: %d, servers: %d, network: %s}
    traffic: [{pattern: %q, rate: %q}]
    algorithms: [%q]
`, duration, name, title, policy, s.clients, s.servers, s.network, s.arrivals, rate, name), nil
}

// settingFlags maps fields of the scenario to flags.
var settingFlags = map[string]string{
	"limit": "limit", "burst": "burst", "rate": "rate", "pattern": "arrivals", "duration": "duration",
	"clients": "clients", "servers": "servers",
}

// settingFlag returns the flag that a field of the scenario comes from, or "".
func settingFlag(path, field string) string {
	switch flag := settingFlags[field]; {
	case strings.HasSuffix(path, ".preset"), strings.HasPrefix(path, "scenarios[0].algorithms"):
		return ""
	case strings.HasPrefix(path, "algorithms."):
		return "--set " + strings.TrimPrefix(path, "algorithms.") + ": "
	case strings.Contains(path, "network"):
		return "--network: "
	case flag != "":
		return "--" + flag + ": "
	}
	return ""
}

func (a *app) explainWithNumbers(c *cobra.Command, s *setting, name string) error {
	f, err := s.load(a, c, name)
	if err != nil {
		return err
	}
	row, err := firstOf(c.Context(), a, f, s.yes)
	if err != nil {
		return err
	}
	start, err := startOf(c.Context(), a, f, row)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s: %s\n%s\n\n", name, describe.Setting(&f.Scenarios[0]), describe.Span(&f.Scenarios[0]))
	return table.TextIn(a.Width(a.Out))(a.Out, describe.Predictions(&f.Scenarios[0], row, start))
}

// simulated returns the row of the only algorithm of the only scenario.
func simulated(ctx context.Context, a *app, f *scenarios.File, p *sim.Progress) (results.Result, error) {
	d, err := sim.Run(ctx, f, sim.Options{Memory: terminal.FreeMemory(), Stdin: a.In, Progress: p, Programs: a.MakeFleet})
	if err != nil {
		return results.Result{}, err
	}
	i := slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Algorithm == f.Scenarios[0].Algorithms[0].Name })
	if i < 0 {
		return results.Result{}, errors.New("the run has no row for the algorithm")
	}
	return d.Results[i], nil
}

// firstOf returns the row of the scenario, after an estimate of its time.
func firstOf(ctx context.Context, a *app, f *scenarios.File, yes bool) (results.Result, error) {
	p := &sim.Progress{}
	ctx, settle := a.Watch(ctx, p, terminal.Estimating{Yes: yes})
	row, err := simulated(ctx, a, f, p)
	if refused := settle(); refused != nil {
		err = refused
	}
	return row, err
}

// startOf returns the over-limit of the scenario's first windows, which row
// leaves out if there is a warm-up.
func startOf(ctx context.Context, a *app, f *scenarios.File, row results.Result) (results.Summary, error) {
	const metric = "over_limit_first_windows_pct"
	s := f.Scenarios[0]
	if s.Warmup == 0 || s.Duration == 0 {
		return row.Summary(metric), nil
	}
	begin := *f
	s.Warmup, s.Duration = 0, steadyAfter*s.LongestWindow()
	begin.Scenarios = []scenarios.Scenario{s}
	row, err := simulated(ctx, a, &begin, nil)
	return row.Summary(metric), err
}
