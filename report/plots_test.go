package report

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limitgauge/limitgauge/internal/lists"
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

// TestPlotsOfOddDocuments draws documents with little or unusual data. It only
// checks that Plots returns.
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

// TestPicturesOfAnEarlierRun checks that a run removes the pictures of its scenarios that it
// does not draw again, and no other file.
func TestPicturesOfAnEarlierRun(t *testing.T) {
	one := func(name string, latency bool) *results.Document {
		doc := plotted(shape{name: name, algorithms: 1, bin: 1e9, bins: 2, offered: func(int) float64 { return 1 }})
		if !latency {
			doc.Results = nil // without rows there is no picture of accuracy
		}
		return doc
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "a-mine.png")
	if err := os.WriteFile(own, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, run := range []struct {
		doc  *results.Document
		want string
	}{
		{one("a", true), "a-accuracy.png a-mine.png a-timeline.png"},
		{one("a-b", true), "a-accuracy.png a-b-accuracy.png a-b-timeline.png a-mine.png a-timeline.png"},
		{one("a", false), "a-b-accuracy.png a-b-timeline.png a-mine.png a-timeline.png"},
	} {
		if _, err := Plots(context.Background(), run.doc, dir); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.png"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(lists.Map(files, filepath.Base), " "); got != run.want {
			t.Errorf("after %s: %s, want %s", run.doc.Scenarios[0].Name, got, run.want)
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
	for i, name := range []string{"Überlast", strings.Repeat("限流", 100)} {
		doc := plotted(shape{name: name, algorithms: 1, bin: 1e9, bins: 2, offered: func(int) float64 { return 1 }})
		paths, err := Plots(context.Background(), doc, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"überlast-timeline.png", strings.Repeat("限流", 13) + "-timeline.png"}[i]
		if got := filepath.Base(paths[0]); got != want {
			t.Errorf("scenario %s: file %s, want %s", name, got, want)
		}
	}
}

// BenchmarkPlots draws all pictures of a run of six scenarios. ms/picture is
// the time per picture.
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
