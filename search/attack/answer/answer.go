// Package answer says what an attack found, and writes it as a scenario file.
//
// The package makes no promise: it can change at any time.
package answer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
)

// mostTrains is the number of lines of requests that are printed.
const mostTrains = 20

// note returns the comment at the top of the scenario file.
func note(f *scenarios.File, o attack.Options, found *attack.Result) string {
	text := fmt.Sprintf("# The worst traffic that limitgauge attack found for %s:\n", f.Scenarios[0].Algorithms[0].Name)
	for i, goal := range o.Goals {
		if found.Found[i].Candidate != nil {
			text += fmt.Sprintf("# %s is %s.\n", goal.Metric.Name, figureText(found.Found[i].Figure, goal.Metric))
		}
	}
	return text
}

// worstOf returns a file with one scenario for each goal that has a figure.
func worstOf(f *scenarios.File, o attack.Options, found *attack.Result) (*scenarios.File, error) {
	var all *scenarios.File
	for i, goal := range o.Goals {
		if found.Found[i].Candidate == nil {
			continue
		}
		one, err := attack.File(f, found.Found[i].Candidate)
		if err != nil {
			return nil, err
		}
		if len(o.Goals) > 1 {
			one.Scenarios[0].Name += " " + goal.Metric.Name
		}
		if all == nil {
			all = one
		} else {
			all.Scenarios = append(all.Scenarios, one.Scenarios...)
		}
	}
	return all, nil
}

// File returns the worst traffic as a scenario file, whose runs repeat the figures.
func File(f *scenarios.File, o attack.Options, found *attack.Result) ([]byte, error) {
	worst, err := worstOf(f, o, found)
	if err != nil {
		return nil, err
	}
	return append([]byte(note(f, o, found)), worst.Effective()...), nil
}

// figureText writes a figure with its unit.
func figureText(x float64, m catalog.Metric) string { return format.InUnits(x, m.Unit) }

// Show prints the result of a search. stated is what theory states about each
// goal.
func Show(ctx context.Context, w io.Writer, width int, f *scenarios.File, o attack.Options, found *attack.Result, stated []catalog.Predicted) error {
	s := &f.Scenarios[0]
	fmt.Fprintf(w, "%s: limit %s, burst %d, on %s; %s of %s in all\n", s.Algorithms[0].Name, s.Policy.Limit, s.Policy.Burst,
		format.Count(s.Topology.Clients, "client"), format.Count(found.Trials, "trial"), format.Count(found.Used, "request"))
	if o.Apart > 0 {
		fmt.Fprintf(w, "requests are at least %s apart\n", units.FormatDuration(o.Apart))
	}
	var outages []attack.Outage
	if !o.May.Faults {
		var err error
		if outages, err = attack.Outages(ctx, f, o); err != nil {
			return err
		}
	}
	shown := map[*attack.Candidate]string{}
	for i, goal := range o.Goals {
		one := found.Found[i]
		if one.Candidate == nil {
			fmt.Fprintf(w, "\nworst %s: no figure: %s\n", goal.Metric.Name, one.Why)
			continue
		}
		outage := ""
		if outages != nil && outages[i].Kind != "" && goal.Worse(outages[i].Figure, one.Figure) {
			outage = fmt.Sprintf("in an outage (%s): %s; --may-choose times,faults also searches outages\n", outages[i].Kind, figureText(outages[i].Figure, goal.Metric))
		}
		if err := showFound(ctx, w, width, f, o, goal, one, stated[i], outage, shown[one.Candidate]); err != nil {
			return err
		}
		shown[one.Candidate] = cmp.Or(shown[one.Candidate], goal.Metric.Name)
	}
	return nil
}

// showFound prints the worst traffic for a goal. outage is a line on outages that are
// worse, or "". same is the goal before that has the same traffic, "" if there is none.
func showFound(ctx context.Context, w io.Writer, width int, f *scenarios.File, o attack.Options, goal attack.Goal, one attack.Found, stated catalog.Predicted, outage, same string) error {
	c := one.Candidate
	fmt.Fprintf(w, "\nworst %s: %s, with %s\n", goal.Metric.Name, figureText(one.Figure, goal.Metric), format.Count(c.Requests(), "request"))
	switch {
	case stated.Formula == "":
		fmt.Fprintf(w, "theory: none: %s\n", stated.Why)
	case stated.Value == 0:
		fmt.Fprintf(w, "theory: never above 0 (%s)\n", stated.Formula)
	default:
		fmt.Fprintf(w, "theory: never above %s (%s); found %s %% of it\n", figureText(stated.Value, goal.Metric), stated.Formula, format.Number(100*one.Figure/stated.Value))
	}
	others, err := otherDraws(ctx, f, c, goal, o)
	if err != nil {
		return err
	}
	if others != nil {
		fmt.Fprintf(w, "under %d other seeds: %s to %s\n", len(others), format.Number(slices.Min(others)), figureText(slices.Max(others), goal.Metric))
	}
	fmt.Fprint(w, outage)
	if one.Figure == 0 && goal.Metric.Better <= 0 {
		fmt.Fprintln(w, "no requests that were tried make it worse")
		return nil
	}
	if same != "" {
		fmt.Fprintf(w, "the requests are those for %s\n", same)
		return nil
	}
	fmt.Fprintf(w, "began as: %s\n", one.From)
	if c.Requests() == o.Requests && o.Apart == 0 {
		fmt.Fprintf(w, "note: it sends all %s that a trial may have; with more --requests it may be worse\n", format.Count(o.Requests, "request"))
	}
	if c.Phase != "" {
		fmt.Fprintf(w, "phase: %s\n", c.Phase)
	}
	if c.Seed != o.Seed {
		fmt.Fprintf(w, "seed: %d\n", c.Seed)
	}
	for _, fault := range c.Faults {
		fmt.Fprintf(w, "fault: %s from %s to %s\n", fault.Kind, units.FormatDuration(fault.From), units.FormatDuration(fault.Until))
	}
	fmt.Fprintln(w)
	return table.TextIn(width)(w, trainTable(c))
}

// otherDraws returns the figures under ten other seeds, or nil if nothing is drawn at
// random.
func otherDraws(ctx context.Context, f *scenarios.File, c *attack.Candidate, goal attack.Goal, o attack.Options) ([]float64, error) {
	own, err := attack.File(f, c)
	if err != nil {
		return nil, err
	}
	if _, exact, err := attack.Figure(ctx, own, goal, o); err != nil || exact {
		return nil, err
	}
	return attack.Others(ctx, f, c, goal, o, 10)
}

// trainTable lists the requests of a candidate. It has columns for keys and costs if
// they are not all the same.
func trainTable(c *attack.Candidate) table.Table {
	t := table.Table{Columns: []table.Column{{Header: "at", Right: true}, {Header: "requests", Right: true}, {Header: "apart", Right: true}, {Header: "client"}}}
	keys := slices.ContainsFunc(c.Trains, func(t attack.Train) bool { return t.Key != 0 })
	costs := slices.ContainsFunc(c.Trains, func(t attack.Train) bool { return t.Cost != 1 })
	if keys {
		t.Columns = append(t.Columns, table.Column{Header: "key"})
	}
	if costs {
		t.Columns = append(t.Columns, table.Column{Header: "cost", Right: true})
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
		if keys {
			row = append(row, fmt.Sprintf("key-%d", train.Key))
		}
		if costs {
			row = append(row, fmt.Sprint(train.Cost))
		}
		t.Rows = append(t.Rows, row)
	}
	if more := len(c.Trains) - mostTrains; more > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("and %d more lines: -o writes them all", more))
	}
	return t
}
