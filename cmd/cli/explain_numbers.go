package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/advice"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/results"
)

// setting holds the flags of explain that describe a scenario.
type setting struct {
	file, scenario        string
	limit, rate, arrivals string
	network, duration     string
	promised              promise
	options               []string
	burst                 int64
	clients, servers      int
	yes                   bool
}

func (s *setting) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.limit, "limit", "", "the `LIMIT`, such as 1000/s: explain with numbers")
	f.StringVar(&s.rate, "rate", "", "offered `RATE`; three times the limit unless given")
	f.StringVar(&s.arrivals, "arrivals", "poisson", "`HOW` requests arrive: poisson or constant")
	f.Int64Var(&s.burst, "burst", 0, "depth of buckets in `REQUESTS`; the limit's count unless given")
	f.IntVar(&s.clients, "clients", 20, "`N` clients")
	f.IntVar(&s.servers, "servers", 1, "`N` servers of the limiter")
	f.StringVar(&s.network, "network", "0s", "`LATENCY` of a call: 5ms, or {lognormal: {p50: 1ms, p99: 15ms}}")
	f.StringArrayVar(&s.options, "set", nil, "an `OPTION=VALUE` of the algorithm; may be given again")
	f.StringVar(&s.duration, "duration", "", "simulated `TIME` with the warm-up; 30s unless given, or ten windows if that is longer")
	s.promised.flags(c)
	f.BoolVar(&s.yes, "yes", false, yesUsage)
	f.StringVar(&s.file, "in", "", "take policy, topology and traffic from a scenario `FILE` instead")
	f.StringVar(&s.scenario, "scenario", "", "`NAME` of the scenario in that file")
}

// described lists the flags that describe a scenario if no file does.
var described = []string{"limit", "rate", "arrivals", "burst", "clients", "servers", "network", "set", "duration"}

// asked reports whether the flags ask for numbers.
func (s *setting) asked(c *cobra.Command) (bool, error) {
	for _, name := range described {
		if s.file != "" && c.Flags().Changed(name) {
			return false, usagef("--%s: the scenario of the file decides it", name)
		}
	}
	if s.limit != "" || s.file != "" {
		return true, nil
	}
	for _, name := range append([]string{"promise", "promise-over", "promise-under", "scenario"}, described...) {
		if c.Flags().Changed(name) {
			return false, usagef("--%s: numbers need a --limit, or a scenario --in a file", name)
		}
	}
	return false, nil
}

// load returns the scenario with only the named algorithm.
func (s *setting) load(a *app, c *cobra.Command, name string) (*scenarios.File, error) {
	var f *scenarios.File
	if s.file != "" {
		var o scenarios.Overrides
		if s.scenario != "" {
			o.Only = []string{s.scenario}
		}
		var err error
		if f, err = a.loadScenarios(c.Context(), s.file, o); err != nil {
			return nil, err
		}
		if len(f.Scenarios) != 1 {
			return nil, usagef("%s has %d scenarios: --scenario says which", s.file, len(f.Scenarios))
		}
	} else {
		text, err := s.text(c, name)
		if err != nil {
			return nil, err
		}
		var problems []scenarios.Problem
		if f, problems = scenarios.Load("explain", text, ".", a.catalog()); len(problems) > 0 {
			return nil, flagProblems(problems, settingFlag)
		}
		for _, w := range f.Scenarios[0].Warnings {
			fmt.Fprintf(a.Err, "warning: %s\n", flagLine(w, settingFlag))
		}
	}
	only := &f.Scenarios[0]
	i := slices.IndexFunc(only.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == name })
	if i < 0 {
		return nil, usagef("scenario %s does not compare an algorithm called %q", only.Name, name)
	}
	only.Algorithms, only.Expect = only.Algorithms[i:i+1], nil
	warmUp(only)
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

// text writes the flags as a scenario file. The values of --set and --network
// are YAML already.
func (s *setting) text(c *cobra.Command, name string) ([]byte, error) {
	limit, err := units.ParseLimit(s.limit)
	if err != nil {
		return nil, usagef("--limit: %w", err)
	}
	rate := s.rate
	if rate == "" {
		rate = units.Rate{Count: 3 * limit.Count, Per: limit.Per}.String()
	}
	duration := s.duration
	if duration == "" {
		duration = units.FormatDuration(max(30e9, 10*limit.Per))
	}
	policy := fmt.Sprintf("limit: %q", s.limit)
	if c.Flags().Changed("burst") {
		policy += fmt.Sprintf(", burst: %d", s.burst)
	}
	options := fmt.Sprintf("preset: %q", name)
	for _, o := range s.options {
		option, value, ok := strings.Cut(o, "=")
		if !ok || strings.ContainsAny(o, "\n\r") {
			return nil, usagef("--set %s: want OPTION=VALUE", o)
		}
		options += fmt.Sprintf(", %s: %s", option, value)
	}
	if strings.ContainsAny(s.network, "\n\r") {
		return nil, usagef("--network: want one line")
	}
	return fmt.Appendf(nil, `version: 1
duration: %q
replications: 5
algorithms:
  %q: {%s}
scenarios:
  - name: explain
    policy: {%s}
    topology: {clients: %d, servers: %d, network: %s}
    traffic: [{pattern: %q, rate: %q}]
    algorithms: [%q]
`, duration, name, options, policy, s.clients, s.servers, s.network, s.arrivals, rate, name), nil
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
	case strings.HasPrefix(path, "algorithms"):
		return "--set " + field + ": "
	case strings.Contains(path, "network"):
		return "--network: "
	case flag != "":
		return "--" + flag + ": "
	}
	return ""
}

func (a *app) explainWithNumbers(c *cobra.Command, s *setting, name string) error {
	bounds, err := s.promised.bounds()
	if err != nil {
		return err
	}
	f, err := s.load(a, c, name)
	if err != nil {
		return err
	}
	algorithm := &f.Scenarios[0].Algorithms[0]
	fields := optionFields(algorithm)
	options := advice.Options(fields, algorithm.Options)
	row, err := firstOf(c.Context(), a, f, s.yes, options)
	if err != nil {
		return err
	}
	start, err := startOf(c.Context(), a, f, row)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s: %s\n%s\n\n", name, describeSetting(&f.Scenarios[0]), describeSpan(&f.Scenarios[0]))
	if err := table.TextIn(a.width(a.Out))(a.Out, predictions(&f.Scenarios[0], row, start)); err != nil {
		return err
	}
	fig := figuresOf(row)
	fmt.Fprintf(a.Out, "\nPromise: %s.", describePromise(bounds))
	if fig.Within(bounds) {
		fmt.Fprintln(a.Out, " Kept.")
		return nil
	}
	fmt.Fprintln(a.Out, " Not kept.")
	at := optionSearch{options: options}
	stop := a.showMoments(3*time.Second, at.moment)
	kept, short, err := advice.Find(c.Context(), options, bounds, fig, func(ctx context.Context, change advice.Change) (advice.Figures, error) {
		at.enter(change.Option)
		return attempt(ctx, a, f, fields, change)
	})
	stop()
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		fmt.Fprintln(a.Out, "No single option keeps it: see limitgauge list algorithms.")
	} else if err := table.TextIn(a.width(a.Out))(a.Out, changes(kept, fig)); err != nil {
		return err
	}
	if len(short) == 0 {
		return nil
	}
	fmt.Fprintln(a.Out)
	return table.TextIn(a.width(a.Out))(a.Out, floors(short, func(change advice.Change) catalog.Predicted {
		changed, err := changedBy(f, fields, change)
		if err != nil {
			return catalog.Predicted{}
		}
		return limiters.Predict(&changed.Scenarios[0]).OverLimit
	}))
}

// optionFields returns the fields of an algorithm's enforcement and counter.
func optionFields(a *scenarios.Algorithm) []catalog.Field {
	all := sim.Catalog()
	return slices.Concat(catalog.Find(all.Enforcements, a.Enforcement).Fields, all.Counter(a.Counter).Fields)
}

// attempt simulates the scenario with one option changed. It returns impossible
// metrics for a value that the option does not accept.
func attempt(ctx context.Context, a *app, f *scenarios.File, fields []catalog.Field, change advice.Change) (advice.Figures, error) {
	impossible := advice.Figures{OverLimitPct: 1e300}
	changed, err := changedBy(f, fields, change)
	if err != nil {
		return impossible, nil // an invalid value for the option
	}
	row, err := simulated(ctx, a, changed, nil)
	if is[*sim.Invalid](err) {
		return impossible, nil
	}
	return figuresOf(row), err
}

// changedBy returns the scenario with one option changed.
func changedBy(f *scenarios.File, fields []catalog.Field, change advice.Change) (*scenarios.File, error) {
	bound, err := scenarios.Options([]catalog.Field{*catalog.Find(fields, change.Option)}, map[string]string{change.Option: change.To})
	if err != nil {
		return nil, err
	}
	changed := *f
	changed.Scenarios = []scenarios.Scenario{f.Scenarios[0]}
	algorithm := f.Scenarios[0].Algorithms[0]
	algorithm.Options = maps.Clone(algorithm.Options)
	maps.Copy(algorithm.Options, bound)
	changed.Scenarios[0].Algorithms = []scenarios.Algorithm{algorithm}
	return &changed, nil
}

// simulated returns the row of the only algorithm of the only scenario.
func simulated(ctx context.Context, a *app, f *scenarios.File, p *sim.Progress) (results.Result, error) {
	d, err := sim.Run(ctx, f, sim.Options{Memory: freeMemory(), Stdin: a.In, Progress: p, Programs: a.makeFleet})
	if err != nil {
		return results.Result{}, err
	}
	i := slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Algorithm == f.Scenarios[0].Algorithms[0].Name })
	if i < 0 {
		return results.Result{}, errors.New("the run has no row for the algorithm")
	}
	return d.Results[i], nil
}

// firstOf returns the row before any option is changed. Its time, for each change
// that the search may simulate, is the estimate of the whole command.
func firstOf(ctx context.Context, a *app, f *scenarios.File, yes bool, options [][]advice.Change) (results.Result, error) {
	p, runs := &sim.Progress{}, 1
	for _, changes := range options {
		runs += len(changes)
	}
	ctx, settle := a.watch(ctx, p, estimating{yes: yes, runs: runs})
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

func figuresOf(r results.Result) advice.Figures {
	mean := func(metric string) float64 {
		if m := r.Metrics[metric].Mean; m != nil {
			return *m
		}
		return 0
	}
	return advice.Figures{OverLimitPct: mean("over_limit_pct"), UnderAdmissionPct: mean("under_admission_pct"), ServerCallsPerS: mean("server_calls_per_s"), CallsPerRequest: mean("calls_per_decision")}
}
