package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/verdicts"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

func (a *app) gateCommand() *cobra.Command {
	var r inputs.Running
	var out output
	var base baselining
	c := &cobra.Command{
		Use:   "gate [FILE | SUITE | RESULTS.json | -]",
		Short: "check the thresholds of a scenario file and report the result as exit code",
		Long: `Gate compares every threshold under expect: with its metric, at the unfavourable
bound of the 95 % interval. It takes a scenario file, which it runs first, or a results
document of limitgauge run -o FILE.json.

It exits 0 only if every threshold was evaluated and holds; 3 if one fails; 4 if
one could not be evaluated, if there is none, or if the run was interrupted. All
formats report the same verdicts. An error (an invalid file, a baseline that is
refused) is a check of its own in every format, so that no report of an earlier run
stays.

With --baseline every headline metric is also compared with an earlier document.
A metric fails if it is worse, by at least --min-effect, and significantly so in a
joint test of all metrics. If nothing random differs, because the row draws no random
numbers of its own and has the same traffic, it is compared directly: any worsening
fails, or with --min-effect one of that size. For each metric the output states the smallest changes
that would have failed with a probability of 80 % and 99 %; --plan prints them before
running, and with --power 90% --for 5% a metric is unevaluated if a change of 5 %
would be caught with less than 90 %. --not-worse 5%, or {not_worse: 5%} under expect:,
demands proof that a metric is worse by at most that. --html shows all of it as a page.
A baseline of other scenarios or seeds is rejected with exit code 4. Only
--update-baseline writes a baseline.
--self-test shows, on the given document, that each check can fail.

For CI: junit is what GitLab, Jenkins and others read; github prints annotations
at the lines of the scenario file and appends a table to the file that
GITHUB_STEP_SUMMARY names; benchmark and benchmark-bigger are the two lists of
github-action-benchmark, for metrics where smaller and where bigger is better.`,
		Example: `  limitgauge gate scenarios.yaml
  limitgauge gate results.json --format markdown
  limitgauge gate scenarios.yaml --format github -o junit.xml
  limitgauge gate scenarios.yaml --baseline base.json --update-baseline
  limitgauge gate scenarios.yaml --baseline base.json --min-effect 5%
  limitgauge gate scenarios.yaml --baseline base.json --plan --power 90% --for 5%
  limitgauge gate results.json --self-test`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	r.Flags(c)
	r.Yes = true                                                         // an estimate is no verdict
	c.Flags().MarkDeprecated("yes", "a gate runs however long it takes") // no error: the flag is there
	base.flags(c)
	out.fileFlags(c, "verdicts", verdicts.Formats()...)
	out.htmlFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := base.check(); err != nil {
			return err
		}
		if out.html != "" && (base.update || base.selfTest || base.powering.plan) {
			return usage.Errorf("--html shows the verdicts of a gate: --update-baseline, --self-test and --plan give none")
		}
		r.Drawn.Worst = out.html != ""
		name := inputs.FileArgument(args)
		summary := inputs.Output(summaryVariable, a.summary(&out))
		files, err := inputs.Claim(a.Host, &r, out.Adds, base.Adds, summary, inputs.Scenarios("the file", name))
		if err != nil {
			return err
		}
		r.Full = full(base.metrics)
		if base.powering.plan {
			return a.planGate(c.Context(), name, files, r.Overrides(c), &out, &base)
		}
		d, err := a.gateDocument(c, name, files, &r)
		switch {
		case base.update || base.selfTest:
			if err != nil {
				return err
			}
			if base.update {
				return a.updateBaseline(base.file, d)
			}
			return a.selfTest(&out, &base, d)
		case usage.Is[collision](err):
			return err
		}
		return a.report(&out, &base, &r.Clock, d, err)
	}
	return c
}

// collision reports that a gate would replace a file that it reads, so that it may
// not even write a report.
type collision struct{ error }

func (c collision) Unwrap() error { return c.error }

// gateDocument reads the document to judge, or runs the scenario file that
// makes it.
func (a *app) gateDocument(c *cobra.Command, name string, files *inputs.FileSet, r *inputs.Running) (*results.Document, error) {
	if err := files.Open(name); err != nil {
		return nil, err
	}
	o := r.Overrides(c)
	if scenarios.LooksLikeDocument(files.Source.Text) {
		if o.Seed != nil || o.Replications != nil || len(o.Sets) > 0 {
			return nil, usage.Errorf("%s is a results document: --seed, --replications and --set are for running a scenario file", name)
		}
		return inputs.DecodeDocument(name, bytes.NewReader(files.Source.Text))
	}
	if err := files.CheckLogs(); err != nil {
		return nil, collision{err}
	}
	f, err := files.Scenarios(c.Context(), o)
	if err != nil {
		return nil, err
	}
	return a.simulate(c.Context(), f, r, r.Rerun(c, name))
}
