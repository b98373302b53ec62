package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"slices"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// shownSweep is a sweep that is to be shown: thin documents of its cells in memory,
// and a way to read all of them.
type shownSweep struct {
	out   *output
	sweep results.Sweep
	thin  map[int]*results.Document
	sums  map[int][sha256.Size]byte
	each  func(visit func(cell int, document []byte) error) error
	write writeDocument
}

func newShownSweep(out *output) *shownSweep {
	return &shownSweep{out: out, thin: map[int]*results.Document{}, sums: map[int][sha256.Size]byte{}}
}

// keep keeps what tables and figures need of a cell.
func (s *shownSweep) keep(cell int, d *results.Document) {
	s.sums[cell] = d.Sum()
	s.thin[cell] = d.Thin(slices.Concat(results.CostTotals, []string{"jobs_given_up"}, table.SweepMetrics(s.out.columns, d.Scenarios), table.SweepMetrics(nil, nil)))
}

// set completes the sweep. each and write give all documents.
func (s *shownSweep) set(head results.SweepHead, each func(func(int, []byte) error) error, write writeDocument) {
	s.sweep.Head, s.each, s.write = head, each, write
	shard, _ := results.ParseShard(head.Shard) // checked
	for number := range head.Cells() {
		d := s.thin[number]
		if d == nil {
			s.sweep.Partial = s.sweep.Partial || shard.Has(number)
			continue
		}
		scenario, at := head.At(number)
		s.sweep.Cells = append(s.sweep.Cells, results.Cell{Number: number, Scenario: scenario.Name, At: at, Document: d, Sum: s.sums[number]})
	}
}

// show writes the sweep on stdout, in the requested files, and as plots.
func (s *shownSweep) show(ctx context.Context, a *app) error {
	return s.out.present(a,
		func(w io.Writer) error { return html.WriteSweep(w, &s.sweep, s.tables()) },
		func(w io.Writer, format string) error { return s.render(a, w, format) },
		func() ([]string, error) { return report.SweepPlots(ctx, &s.sweep, s.out.plots) })
}

func (s *shownSweep) render(a *app, w io.Writer, format string) error {
	switch format {
	case "json":
		return s.write(w, s.sweep.Head)
	case "csv":
		out := table.NewSweepCSV(w, s.sweep.Head, s.out.columns, measure.Metrics())
		err := s.each(func(number int, document []byte) error {
			cell, err := s.sweep.Head.Cell(number, document)
			if err == nil {
				err = out.Write(cell)
			}
			return err
		})
		return cmp.Or(err, out.Close())
	}
	return a.renderTables(w, s.tables(), format)
}

// tables returns the tables of the sweep.
func (s *shownSweep) tables() []table.Table {
	promises := map[int]gate.Verdicts{}
	for _, c := range s.sweep.Cells {
		if len(c.Document.Scenarios[0].Expectations) > 0 {
			promises[c.Number] = gate.Evaluate(c.Document)
		}
	}
	return table.Sweep(&s.sweep, s.out.columns, measure.Metrics(), func(c results.Cell, algorithm string) string {
		return promiseText(promises[c.Number], algorithm)
	})
}

// promiseText says whether an algorithm keeps its thresholds, or "".
func promiseText(v gate.Verdicts, algorithm string) (text string) {
	for _, one := range v.All() {
		if one.Algorithm != algorithm {
			continue
		}
		switch {
		case one.Status == gate.Failed:
			return "broken"
		case !one.Status.Holds():
			text = "unknown"
		case text == "":
			text = "kept"
		}
	}
	return text
}

// writeDocument writes the document of a sweep.
type writeDocument func(w io.Writer, head results.SweepHead) error
