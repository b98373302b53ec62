package report

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/limitgauge/limitgauge/sim/results"
)

func TestPlots(t *testing.T) {
	doc := plotted(plotShapes()...)
	if err := doc.Check(); err != nil {
		t.Fatal(err)
	}
	dirs := [2]string{t.TempDir(), filepath.Join(t.TempDir(), "made", "on", "the", "way")}
	var names [2][]string
	for i, dir := range dirs {
		paths, err := Plots(context.Background(), doc, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			names[i] = append(names[i], filepath.Base(path))
		}
	}
	want := []string{
		"steady-3x-timeline.png", "steady-3x-accuracy.png", "steady-3x-latency.png",
		"step-x10-timeline.png", "step-x10-accuracy.png", "step-x10-latency.png",
		"one-hot-tenant-40-tenants-timeline.png", "one-hot-tenant-40-tenants-accuracy.png", "one-hot-tenant-40-tenants-latency.png", "one-hot-tenant-40-tenants-shares.png",
		"guarded-backend-timeline.png", "guarded-backend-accuracy.png", "guarded-backend-latency.png", "guarded-backend-shares.png", "guarded-backend-guard.png",
		"many-keys-timeline.png", "many-keys-accuracy.png", "many-keys-shares.png",
		"recorded-timeline.png", "recorded-accuracy.png", "recorded-latency.png", "recorded-shares.png",
	}
	if diff := cmp.Diff(want, names[0]); diff != "" {
		t.Errorf("plots drawn (-want +got):\n%s", diff)
	}
	for _, name := range names[0] {
		first, err := os.ReadFile(filepath.Join(dirs[0], name))
		if err != nil {
			t.Fatal(err)
		}
		second, err := os.ReadFile(filepath.Join(dirs[1], name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s: drawn twice, the bytes differ", name)
		}
		img, err := png.Decode(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if size := img.Bounds().Size(); size.X != 1200 || size.Y != 800 {
			t.Errorf("%s: %d x %d pixels, want 1200 x 800", name, size.X, size.Y)
		}
	}
}

// TestPlotsOfOddDocuments draws what has little or strange data; that it
// returns is the point.
func TestPlotsOfOddDocuments(t *testing.T) {
	scenario := func(doc results.Document) *results.Document {
		doc.SchemaVersion = results.SchemaVersion
		doc.Scenarios = []results.Scenario{{Name: "odd"}}
		return &doc
	}
	series := func(s results.Series) *results.Document {
		s.Scenario, s.Algorithm = "odd", "a"
		return scenario(results.Document{Series: []results.Series{s}})
	}
	for _, c := range []struct {
		name string
		doc  *results.Document
		want int
	}{
		{"empty", &results.Document{SchemaVersion: results.SchemaVersion}, 0},
		{"scenario alone", scenario(results.Document{}), 0},
		{"one empty bin", series(results.Series{BinNs: 1, Offered: []int64{0}, Admitted: []int64{0}}), 1},
		{"late in time", series(results.Series{StartNs: 1<<62 - 2e18, BinNs: 1e18, Offered: []int64{1, 2}, Admitted: []int64{1, 1}}), 1},
		{"sixty years", series(results.Series{StartNs: 1e18, BinNs: 1e15, Offered: make([]int64, 2000), Admitted: make([]int64, 2000)}), 1},
		{"no numbers", scenario(results.Document{Results: []results.Result{{Scenario: "odd", Algorithm: "a"}}}), 1},
		{"constant latency", scenario(results.Document{Histograms: []results.Histogram{{Scenario: "odd", Algorithm: "a", Name: "wait", Unit: "ns", Buckets: []results.Bucket{{Lo: 1e6, Hi: 1e6 + 1, Count: 5}}}}}), 1},
		{"no latency", scenario(results.Document{Histograms: []results.Histogram{{Scenario: "odd", Algorithm: "a", Name: "wait", Unit: "ns", Buckets: []results.Bucket{{Lo: 0, Hi: 1, Count: 5}}}}}), 0},
		{"one tenant", scenario(results.Document{Shares: []results.Shares{{Scenario: "odd", Algorithm: "a", Tenants: []results.Share{{Tenant: "t"}}}}}), 0},
		{"idle tenants", scenario(results.Document{Shares: []results.Shares{{Scenario: "odd", Algorithm: "a", Tenants: []results.Share{{Tenant: "t"}, {Tenant: "u"}}}}}), 1},
	} {
		if err := c.doc.Check(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		paths, err := Plots(context.Background(), c.doc, t.TempDir())
		if err != nil || len(paths) != c.want {
			t.Errorf("%s: drew %v, error %v; want %d plots", c.name, paths, err, c.want)
		}
	}
}

func TestScenariosOfLikeNamesGetFilesOfTheirOwn(t *testing.T) {
	doc := plotted(shape{name: "a b", algorithms: 1, bin: 1e9, bins: 2, offered: func(int) float64 { return 1 }},
		shape{name: "A/B", algorithms: 1, bin: 1e9, bins: 2, offered: func(int) float64 { return 1 }})
	paths, err := Plots(context.Background(), doc, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := filepath.Base(paths[0]) + " " + filepath.Base(paths[2]); got != "a-b-timeline.png a-b-2-timeline.png" {
		t.Errorf("files %s", got)
	}
}

func TestTimeTicks(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return when.UnixNano()
	}
	for _, c := range []struct {
		start, end   int64
		labels, axis string
	}{
		{0, 60e9, "0 10 20 30 40 50 60", "time, s"},
		{5e9, 65e9, "10 20 30 40 50 60", "time, s"},
		{0, 600e9, "0 2 4 6 8 10", "time, min"},
		{0, 250e6, "0 50 100 150 200 250", "time, ms"},
		{0, 86400e9, "0 6 12 18 24", "time, h"},
		{at("2023-11-14T00:00:00Z"), at("2023-11-14T06:00:00Z"), "00:00 01:00 02:00 03:00 04:00 05:00 06:00", "time, UTC on 2023-11-14"},
		{at("2023-11-14T20:00:00Z"), at("2023-11-15T08:00:00Z"), "Nov 14 20:00 | Nov 14 22:00 | Nov 15 00:00 | Nov 15 02:00 | Nov 15 04:00 | Nov 15 06:00 | Nov 15 08:00", "time in 2023, UTC"},
		{at("2023-11-14T06:00:00Z"), at("2023-11-23T00:00:00Z"), "Nov 15 | Nov 17 | Nov 19 | Nov 21 | Nov 23", "date in 2023, UTC"},
		{at("2021-02-01T00:00:00Z"), at("2022-02-01T00:00:00Z"), "2021-04 2021-07 2021-10 2022-01", "month, UTC"},
		{at("1990-01-01T00:00:00Z"), at("2030-01-01T00:00:00Z"), "1990 1998 2006 2014 2022 2030", "year, UTC"},
	} {
		ticks, axis := timeTicks(c.start, c.end, 6)
		var labels []string
		for _, tick := range ticks {
			labels = append(labels, tick.Label)
		}
		separator := " "
		if strings.Contains(c.labels, "|") {
			separator = " | "
		}
		if got := strings.Join(labels, separator); got != c.labels || axis != c.axis {
			t.Errorf("from %d to %d: %q (%s), want %q (%s)", c.start, c.end, got, axis, c.labels, c.axis)
		}
	}
}

// BenchmarkPlots draws all pictures of a run of six scenarios; ms/picture is
// what a run with more or fewer of them takes for each.
func BenchmarkPlots(b *testing.B) {
	doc := plotted(plotShapes()...)
	pictures := 0
	for b.Loop() {
		paths, err := Plots(context.Background(), doc, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		pictures += len(paths)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(pictures), "ms/picture")
}
