package sweep

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// BenchmarkOverhead compares a sweep with bare runs of the files of its cells, which
// take about 0.1 s each, in turn on the same worker: overhead_% is what the sweep adds.
func BenchmarkOverhead(b *testing.B) {
	source := strings.NewReplacer("300/s", "3000/s", "150/s", "2900/s", "600/s", "3100/s", "100/s", "1000/s", "4s", "350s").Replace(file)
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(source), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if err != nil || len(problems) > 0 {
		b.Fatal(err, problems)
	}
	var files []*scenarios.File
	for i := range g.Len() {
		text, _ := g.Text(g.Cell(i))
		f, problems := scenarios.Load("-", text, ".", sim.Catalog())
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		files = append(files, f)
	}
	bare, swept := time.Hour, time.Hour // the least of all rounds: other programs only add to them
	for b.Loop() {
		runtime.GC()
		start := time.Now()
		for _, f := range files {
			if _, err := sim.Run(context.Background(), f, sim.Options{Workers: 1, WorstKey: true}); err != nil {
				b.Fatal(err)
			}
		}
		bare = min(bare, time.Since(start))
		cache, err := OpenCache(b.TempDir(), 1<<30)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		start = time.Now()
		s, problems, err := Prepare(context.Background(), g, Options{Cache: cache, Workers: 1, Stamp: func(f *scenarios.File) results.Stamp { return sim.StampOf(f) }})
		if err != nil || len(problems) > 0 {
			b.Fatal(err, problems)
		}
		if err := s.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
		swept = min(swept, time.Since(start))
		s.Close()
	}
	b.ReportMetric(bare.Seconds()*1000/float64(len(files)), "bare_ms/cell")
	b.ReportMetric(100*(swept-bare).Seconds()/bare.Seconds(), "overhead_%")
}
