package explore

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/sim/results"
)

// CurveQuestion asks for the figures of a view along the values of one knob.
type CurveQuestion struct {
	View   View     `json:"view"`
	Path   string   `json:"path"`
	Values []string `json:"values"`
}

// Curve holds a sweep of one knob.
type Curve struct {
	Figures []html.FigurePart `json:"figures"`
	Table   template.HTML     `json:"table"`
	Said    string            `json:"said"`
}

// mostCurveReplications limits the replications of each value of a curve.
const mostCurveReplications = 5

// Curve runs a view with each value of a knob, and returns the figures and the table of a
// sweep. A value with which the scenario cannot run is left out and named.
func (e *Explorer) Curve(ctx context.Context, q CurveQuestion) (*Curve, error) {
	if len(q.Values) < 2 || len(q.Values) > mostCurve {
		return nil, refuse(q.Path, fmt.Sprintf("a curve has 2 to %d values, not %d", mostCurve, len(q.Values)))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, longestRun, errTooMuch)
	defer cancel()
	base, err := e.load(q.View)
	if err != nil {
		return nil, err
	}
	v := q.View
	for _, a := range base.Scenarios[0].Algorithms {
		if strings.HasPrefix(q.Path, "algorithms."+a.Name+".") {
			v.Rows = []string{a.Name} // the other rows do not have the option
			v.Sets = slices.DeleteFunc(slices.Clone(v.Sets), func(s [2]string) bool {
				return strings.HasPrefix(s[0], "algorithms.") && !strings.HasPrefix(s[0], "algorithms."+a.Name+".")
			})
		}
	}
	n := min(base.Scenarios[0].Replications, mostCurveReplications)
	if n < base.Scenarios[0].Replications {
		v = v.with([2]string{"replications", strconv.Itoa(n)})
	}
	var docs []*results.Document
	var values []string
	var without string
	for _, value := range q.Values {
		f, err := e.load(v.with([2]string{q.Path, value}))
		if err == nil {
			var d *results.Document
			if d, err = e.run(ctx, v.Scenario, f); err == nil {
				docs, values = append(docs, d), append(values, value)
			}
		}
		if ctx.Err() != nil {
			if len(docs) < 2 || context.Cause(ctx) != errTooMuch {
				return nil, ctx.Err()
			}
			without += fmt.Sprintf(" Stopped after %s, before %s.", longestRun, value)
			break
		}
		if err != nil {
			without += fmt.Sprintf(" Without %s: %v.", value, err)
		}
	}
	if len(docs) == 0 {
		return nil, refuse(q.Path, "no value can run:"+without)
	}
	c, err := e.curve(&base.Scenarios[0], q.Path, values, docs)
	if err != nil {
		return nil, err
	}
	c.Said = fmt.Sprintf("%d values, %d replications each.%s", len(values), n, without)
	return c, nil
}

// curve shows the documents of the values of an axis.
func (e *Explorer) curve(s *scenarios.Scenario, path string, values []string, docs []*results.Document) (*Curve, error) {
	name := path[strings.LastIndex(path, ".")+1:]
	axis := sweep.Axis(scenarios.Axis{Name: name, Of: path, Values: values})
	sw := &results.Sweep{Head: results.SweepHead{
		SchemaVersion: results.SchemaVersion, Stamp: docs[0].Stamp,
		Sweep: []results.SweepScenario{{Name: s.Name, Axes: []results.Axis{axis}}},
	}}
	c := &Curve{}
	for i, d := range docs {
		sw.Cells = append(sw.Cells, results.Cell{Number: i, Scenario: s.Name, At: []string{values[i]}, Document: d, Sum: d.Sum()})
	}
	var err error
	if c.Figures, err = html.Figures(figure.Sweeps(sw)); err != nil {
		return nil, err
	}
	tables := table.Sweep(sw, nil, e.o.Metrics, func(results.Cell, string) string { return "" })
	for _, t := range tables {
		part, err := html.TablePart(t)
		if err != nil {
			return nil, err
		}
		c.Table += part
	}
	return c, nil
}
