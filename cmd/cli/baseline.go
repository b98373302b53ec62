package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/report/verdicts"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// baselining holds the flags of gate for comparing with an earlier document.
type baselining struct {
	file       string
	update     bool
	selfTest   bool
	allow      []string
	otherSeeds bool
	references bool
	effects    []string
	metrics    []string
	powering   powering

	options baseline.Options
}

func (b *baselining) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.file, "baseline", "", "also compare metrics with those of the results document in `FILE`")
	f.BoolVar(&b.update, "update-baseline", false, "write the document to the --baseline file instead of comparing with it")
	f.BoolVar(&b.selfTest, "self-test", false, "show that each threshold, and each metric compared with --baseline, can fail")
	f.StringArrayVar(&b.allow, "allow-unevaluated", nil, "do not fail if a metric cannot be compared with the baseline: any, or those of =`PATTERN` (SCENARIO, SCENARIO/ALGORITHM or SCENARIO/ALGORITHM/METRIC, * for any characters); may be repeated")
	f.Lookup("allow-unevaluated").NoOptDefVal = "*"
	f.BoolVar(&b.otherSeeds, "other-seeds", false, "accept a baseline of another seed, as independent runs")
	f.BoolVar(&b.references, "references", false, "compare the rows of the reference, too")
	b.powering.flags(c)
	f.StringArrayVar(&b.effects, "min-effect", nil, "smallest `CHANGE` that counts: 2%, 0.5 (in the metric's unit), or METRIC=CHANGE; may be repeated (default 1%, and at least 0.1 of the unit, or 0.001 of a ratio, share or second; any change of a figure that is compared directly)")
	f.StringSliceVar(&b.metrics, "metric", nil, "`METRICS` to compare with the baseline, instead of the headline ones")
}

// check converts the flags to options before anything runs.
func (b *baselining) check() error {
	if b.file == "" {
		switch {
		case b.update:
			return usage.Errorf("--update-baseline needs --baseline FILE, the file to write")
		case b.powering.given():
			return usage.Errorf("--plan, --power, --for and --not-worse go with --baseline")
		case len(b.allow) > 0, b.otherSeeds, b.references, len(b.effects) > 0, len(b.metrics) > 0:
			return usage.Errorf("--allow-unevaluated, --other-seeds, --references, --min-effect and --metric go with --baseline")
		}
	}
	if b.update && b.selfTest || b.powering.plan && (b.update || b.selfTest) {
		return usage.Errorf("--update-baseline, --self-test and --plan exclude each other")
	}
	if err := checkMetrics(b.metrics); err != nil {
		return err
	}
	effects, err := baseline.ParseEffects(b.effects, measure.Metrics())
	if err != nil {
		return usage.Errorf("--min-effect: %w", err)
	}
	b.options = baseline.Options{
		Registry: measure.Metrics(), Metrics: b.metrics, Effects: effects,
		AllowUnevaluated: b.allow, OtherSeeds: b.otherSeeds, References: b.references,
	}
	return b.powering.options(&b.options)
}

// Adds adds the baseline to the files that a command reads or writes.
func (b *baselining) Adds(files *inputs.FileSet) error {
	if b.update {
		files.Writes("--baseline", b.file)
	} else {
		files.Reads("the baseline", b.file)
	}
	return nil
}

// judge evaluates a document's thresholds and compares its metrics with the
// baseline. If it returns an error, the verdicts are those of the thresholds.
func (a *app) judge(b *baselining, d *results.Document) (gate.Verdicts, error) {
	verdicts := gate.Evaluate(d)
	verdicts.Metrics = measure.Metrics()
	if b.file == "" {
		verdicts.List = append(verdicts.List, gate.WithoutBaseline(d)...)
		return verdicts, nil
	}
	base, err := baseline.Load(b.file)
	if err != nil {
		return verdicts, err
	}
	comparison, err := baseline.Compare(base, d, b.options)
	if err != nil {
		return verdicts, refusedOrUsage(err)
	}
	for _, note := range comparison.Notes {
		fmt.Fprintf(a.Err, "note: %s\n", note)
	}
	compared := comparison.Verdicts()
	if cost := comparison.FixedBaselineCost(); cost > 0 {
		fmt.Fprintf(a.Err, "note: for this promise a change must be %.2f times as large to be caught with a probability of 80 %%\n", cost)
	}
	verdicts.List = append(verdicts.List, compared.List...)
	verdicts.Partial = verdicts.Partial || compared.Partial
	return verdicts, nil
}

// refusedOrUsage distinguishes a baseline that cannot be compared from wrong
// options.
func refusedOrUsage(err error) error {
	if usage.Refused(err) {
		return err
	}
	return usage.Wrong(err)
}

func (a *app) updateBaseline(file string, d *results.Document) error {
	kept, err := baseline.From(d)
	if err != nil {
		return fmt.Errorf("update baseline %s: %w", file, err)
	}
	return a.writeFile(file, func(w io.Writer) error { return results.Encode(w, kept) })
}

// selfTest shows that each check of a gate can fail, on the gate's own
// document.
func (a *app) selfTest(out *output, b *baselining, d *results.Document) error {
	if out.format != "table" && out.format != "markdown" {
		return usage.Errorf("--self-test prints --format table or markdown")
	}
	var base *results.Document
	if b.file != "" {
		var err error
		if base, err = baseline.Load(b.file); err != nil {
			return err
		}
	}
	proof, err := baseline.SelfTest(d, base, b.options)
	if err != nil {
		return refusedOrUsage(err)
	}
	if err := out.deliver(a, func(w io.Writer, format string) error {
		return a.renderTables(w, []table.Table{verdicts.SelfTest(proof)}, format)
	}); err != nil {
		return err
	}
	if !proof.Holds() {
		return usage.Code(usage.ExitGateFailed)
	}
	return nil
}
