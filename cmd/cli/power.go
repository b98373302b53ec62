package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/report/verdicts"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// powering holds the flags of gate for what its comparisons must be able to see.
type powering struct {
	plan     bool
	power    string
	changes  []string
	notWorse []string
}

func (p *powering) flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&p.plan, "plan", false, "print which changes the gate will catch, from --baseline, and run nothing")
	f.StringVar(&p.power, "power", "", "leave a figure unevaluated if the change of --for would be caught with less than `PROBABILITY`, such as 90%")
	f.StringArrayVar(&p.changes, "for", nil, "the `CHANGE` to be caught with --power, written as for --min-effect; may be repeated")
	f.StringArrayVar(&p.notWorse, "not-worse", nil, "demand proof that figures are worse by at most `CHANGE`, written as for --min-effect; may be repeated")
}

// given reports whether a flag is used that needs a baseline.
func (p *powering) given() bool {
	return p.plan || p.power != "" || len(p.changes) > 0 || len(p.notWorse) > 0
}

// options adds what the flags ask to the options of a comparison.
func (p *powering) options(o *baseline.Options) error {
	if (p.power == "") != (len(p.changes) == 0) {
		return usage.Errorf("--power and --for go together: --power 90%% --for 5%%")
	}
	if p.power != "" {
		share, err := probability(p.power)
		if err != nil {
			return usage.Errorf("--power: %w", err)
		}
		if share <= 0 || share >= 1 {
			return usage.Errorf("--power %s: want a probability above 0%% and below 100%%", p.power)
		}
		o.Power.Probability = share
	}
	var err error
	if o.Power.For, err = baseline.ParseEffects(p.changes, measure.Metrics()); err != nil {
		return usage.Errorf("--for: %w", err)
	}
	if len(p.notWorse) > 0 {
		if o.NotWorse, err = baseline.ParseEffects(p.notWorse, measure.Metrics()); err != nil {
			return usage.Errorf("--not-worse: %w", err)
		}
		for _, e := range o.NotWorse {
			if e == (baseline.Effect{}) {
				return usage.Errorf("--not-worse: want more than 0, such as 5%% or over_limit_pct=0.5")
			}
		}
	}
	return nil
}

// probability parses a share such as 90% or 0.9.
func probability(text string) (float64, error) {
	f, err := units.ParseFraction(text)
	return float64(f.Num) / float64(max(1, f.Den)), err
}

// planGate prints which changes a gate of the file will catch. It exits with 4 if
// that is less than --power asks.
func (a *app) planGate(ctx context.Context, name string, files *inputs.FileSet, o scenarios.Overrides, out *output, b *baselining) error {
	if out.format != "table" && out.format != "markdown" {
		return usage.Errorf("--plan prints --format table or markdown")
	}
	if err := files.Open(name); err != nil {
		return err
	}
	if scenarios.LooksLikeDocument(files.Source.Text) {
		return usage.Errorf("%s is a results document: --plan is for a scenario file", name)
	}
	f, err := files.Scenarios(ctx, o)
	if err != nil {
		return err
	}
	base, err := baseline.Load(b.file)
	if err != nil {
		return err
	}
	planned := lists.Map(f.Scenarios, func(s scenarios.Scenario) baseline.Planned {
		return baseline.Planned{Name: s.Name, Replications: s.Replications}
	})
	plan, err := baseline.Plan(base, planned, b.options)
	if err != nil {
		return refusedOrUsage(err)
	}
	for _, note := range plan.Notes {
		fmt.Fprintf(a.Err, "note: %s\n", note)
	}
	t := verdicts.Plan(plan)
	err = out.deliver(a, func(w io.Writer, format string) error { return a.renderTables(w, []table.Table{t}, format) })
	if err == nil && !plan.Sees() {
		return usage.Code(usage.ExitUnevaluated)
	}
	return err
}
