package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
)

// mostTrains is the number of lines of requests that attack prints.
const mostTrains = 20

// attackNote returns the comment at the top of the scenario file.
func attackNote(f *scenarios.File, o attack.Options, found *attack.Found) string {
	return fmt.Sprintf("# The worst traffic that limitgauge attack found for %s:\n# %s is %s.\n",
		f.Scenarios[0].Algorithms[0].Name, o.Metric.Name, figureText(found.Figure, o.Metric))
}

// searchAttack runs a search and shows its progress if it takes long.
func (a *app) searchAttack(ctx context.Context, f *scenarios.File, o attack.Options) (*attack.Found, error) {
	o.Progress = &attack.Progress{}
	stop := a.showMoments(5*time.Second, func(time.Duration) moment {
		used := o.Progress.Used.Load()
		return moment{share: min(1, float64(used)/float64(o.Budget)), text: format.Count(o.Progress.Trials.Load(), "trial")}
	})
	defer stop()
	return attack.Run(ctx, f, o)
}

// figureText writes a figure with its unit.
func figureText(x float64, m catalog.Metric) string { return format.Number(x) + " " + m.Unit }

// showAttack prints the result of a search. others are the figures under other
// seeds, nil if nothing is drawn at random.
func (a *app) showAttack(f *scenarios.File, o attack.Options, found *attack.Found, bound catalog.Predicted, others []float64) error {
	s, c := &f.Scenarios[0], found.Candidate
	fmt.Fprintf(a.Out, "%s: limit %s, burst %d, on %s\n\n", s.Algorithms[0].Name, s.Policy.Limit, s.Policy.Burst, format.Count(s.Topology.Clients, "client"))
	fmt.Fprintf(a.Out, "worst %s: %s, with %s\n", o.Metric.Name, figureText(found.Figure, o.Metric), format.Count(c.Requests(), "request"))
	switch {
	case bound.Formula == "":
		fmt.Fprintf(a.Out, "theory: none: %s\n", bound.Why)
	case bound.Value == 0:
		fmt.Fprintf(a.Out, "theory: never above 0 (%s)\n", bound.Formula)
	default:
		fmt.Fprintf(a.Out, "theory: never above %s (%s); found %s %% of it\n", figureText(bound.Value, o.Metric), bound.Formula, format.Number(100*found.Figure/bound.Value))
	}
	if others != nil {
		fmt.Fprintf(a.Out, "under %d other seeds: %s to %s\n", len(others), format.Number(slices.Min(others)), figureText(slices.Max(others), o.Metric))
	}
	fmt.Fprintf(a.Out, "began as: %s; %s of %s in all\n", found.From, format.Count(found.Trials, "trial"), format.Count(found.Used, "request"))
	if o.Apart > 0 {
		fmt.Fprintf(a.Out, "requests are at least %s apart\n", units.FormatDuration(o.Apart))
	}
	if c.Requests() == o.Requests && o.Apart == 0 {
		fmt.Fprintf(a.Out, "note: it sends all %s that a trial may have; with more --requests it may be worse\n", format.Count(o.Requests, "request"))
	}
	if c.Phase != "" {
		fmt.Fprintf(a.Out, "phase: %s\n", c.Phase)
	}
	if c.Seed != o.Seed {
		fmt.Fprintf(a.Out, "seed: %d\n", c.Seed)
	}
	for _, fault := range c.Faults {
		fmt.Fprintf(a.Out, "fault: %s\n", faultText(fault))
	}
	fmt.Fprintln(a.Out)
	return table.TextIn(a.width(a.Out))(a.Out, trainTable(o, c))
}

// faultText describes a fault in one line.
func faultText(f attack.Fault) string {
	return fmt.Sprintf("%s from %s to %s", f.Kind, units.FormatDuration(f.From), units.FormatDuration(f.Until))
}

// trainTable lists the requests of a candidate.
func trainTable(o attack.Options, c *attack.Candidate) table.Table {
	t := table.Table{Columns: []table.Column{{Header: "at", Right: true}, {Header: "requests", Right: true}, {Header: "apart", Right: true}, {Header: "client"}}}
	if o.May.Keys {
		t.Columns = append(t.Columns, table.Column{Header: "key"})
	}
	for _, train := range c.Trains[:min(len(c.Trains), mostTrains)] {
		apart, client := "-", "in turn"
		if train.Gap > 0 {
			apart = units.FormatDuration(train.Gap)
		}
		if train.Client >= 0 {
			client = fmt.Sprint(train.Client)
		}
		row := []string{units.FormatDuration(train.At), fmt.Sprint(train.Count), apart, client}
		if o.May.Keys {
			row = append(row, fmt.Sprintf("key-%d", train.Key))
		}
		t.Rows = append(t.Rows, row)
	}
	if more := len(c.Trains) - mostTrains; more > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("and %d more lines: -o writes them all", more))
	}
	return t
}
