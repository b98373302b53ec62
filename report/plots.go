package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/limitgauge/limitgauge/internal/parallel"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/png"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Plots draws the figures of each scenario as SCENARIO-FIGURE.png in dir, and the
// curves of the document as curves.png. It
// returns the paths of the written files in order. Figures without data are
// omitted; those that an earlier run drew of the same scenarios are removed. The same
// document gives the same bytes. A file is written completely or not at all. On an error
// Plots also returns the paths written so far. If the context ends, Plots stops between two
// pictures.
func Plots(ctx context.Context, doc *results.Document, dir string) (paths []string, err error) {
	return draw(ctx, picturesOf(doc, dir))
}

// SweepPlots draws the figures of a sweep as SCENARIO-FIGURE.png in dir, as Plots does.
func SweepPlots(ctx context.Context, sweep *results.Sweep, dir string) (paths []string, err error) {
	slugs := figure.Slugs(sweep.Head.Sweep, func(s results.SweepScenario) string { return s.Name })
	var pictures []*picture
	for i, s := range sweep.Head.Sweep {
		one := &results.Sweep{Head: sweep.Head, Cells: sweep.Of(s.Name)}
		one.Head.Sweep = []results.SweepScenario{s}
		for _, build := range figure.Sweeps(one) {
			pictures = append(pictures, &picture{build: build, prefix: filepath.Join(dir, slugs[i]+"-")})
		}
	}
	return draw(ctx, pictures)
}

// draw draws pictures, one per core at a time, and returns the paths of those that were
// written. If none fails, it removes those of the same scenarios that an earlier run left.
func draw(ctx context.Context, pictures []*picture) (paths []string, err error) {
	stopped := parallel.Each(ctx, len(pictures), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		pictures[i].err = pictures[i].draw()
		return pictures[i].err
	})
	for _, p := range pictures {
		if p.path != "" {
			paths = append(paths, p.path)
		}
		err = cmp.Or(err, p.err)
	}
	if err = cmp.Or(err, stopped); err == nil {
		err = retire(pictures)
	}
	return paths, err
}

// picture is one file to draw.
type picture struct {
	build  figure.Builder
	prefix string // of its path
	path   string // once it is written
	err    error
}

func picturesOf(doc *results.Document, dir string) (list []*picture) {
	slugs := figure.Slugs(doc.Scenarios, func(s results.Scenario) string { return s.Name })
	for i, part := range doc.PerScenario() {
		for _, build := range figure.Of(part, figure.Picture) {
			list = append(list, &picture{build: build, prefix: filepath.Join(dir, slugs[i]+"-")})
		}
	}
	build := func() *figure.Figure { return figure.Curves(doc) }
	return append(list, &picture{build: build, prefix: dir + string(filepath.Separator)})
}

// draw writes the picture if it has data.
func (p *picture) draw() error {
	f := p.build()
	if f == nil || f.PageOnly {
		return nil
	}
	path := p.prefix + f.Name + ".png"
	if err := WriteFile(path, func(w io.Writer) error { return png.Write(w, f) }); err != nil {
		return fmt.Errorf("plot %s: %w", f.Heading(), err)
	}
	p.path = path
	return nil
}
