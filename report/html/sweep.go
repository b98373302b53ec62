package html

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

//go:embed sweep.gohtml
var sweepText string

var sweepTemplate = sync.OnceValue(func() *template.Template { return template.Must(parsePage().Parse(sweepText)) })

// sweepPage holds the values of the template of a sweep.
type sweepPage struct {
	page
	Scenarios []sweepScenario
}

// sweepScenario is the section of a scenario of a sweep.
type sweepScenario struct {
	ID, Name, About string
	Facts           []fact
	Figures         []*figure.Figure
	Tables          []table.Table
}

// WriteSweep writes a sweep as a page. Its tables are those of table.Sweep, one for each
// scenario with cells. The same sweep gives the same bytes.
func WriteSweep(w io.Writer, sw *results.Sweep, tables []table.Table) error {
	p := &sweepPage{page: page{
		Title: strings.Replace(title(sw.Head.Stamp), "report", "sweep", 1), Partial: sw.Partial,
		Stamp: stamp(sw.Head.Stamp), Rerun: sw.Head.Stamp.Rerun, Effective: sw.Head.Stamp.Scenario,
	}}
	p.secure()
	slugs := figure.Slugs(sw.Head.Sweep, func(s results.SweepScenario) string { return s.Name })
	for i, s := range sw.Head.Sweep {
		cells := sw.Of(s.Name)
		if len(cells) == 0 {
			continue
		}
		first := cells[0].Document
		one := sweepScenario{ID: "scenario-" + slugs[i], Name: s.Name, About: first.Scenarios[0].About}
		one.Facts = lists.Map(s.Axes, func(a results.Axis) fact {
			return fact{a.Name, fmt.Sprintf("%s: %s", a.Of, strings.Join(a.Values, ", "))}
		})
		one.Facts = append(one.Facts, fact{"cells", fmt.Sprintf("%d of %d", len(cells), s.Cells())})
		alone := &results.Sweep{Head: sw.Head, Cells: cells}
		alone.Head.Sweep = []results.SweepScenario{s}
		one.Figures = figures(figure.Sweeps(alone))
		one.Tables, tables = tables[:1], tables[1:]
		p.Scenarios = append(p.Scenarios, one)
	}
	return write(w, sweepTemplate(), "sweep", p)
}
