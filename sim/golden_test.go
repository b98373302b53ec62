package sim_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

var update = flag.Bool("update", false, "write the golden texts anew")

// goldenFiles returns the scenario files with a golden text. Those of a limiter
// are in its folder, all others in testdata/golden.
func goldenFiles(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"testdata/golden/*.golden.yaml", "limiters/*/testdata/*.golden.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, error %v", pattern, len(found), err)
		}
		list = append(list, found...)
	}
	return list
}

func loadGolden(t *testing.T, path string) *scenarios.File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return simtest.Load(t, string(text))
}

// TestGolden compares the results of each golden scenario file with the text
// beside it. The text has the means of all metrics, for people, and a digest of
// the document, which is the same on every processor and with any number of
// workers. After an intended change run it with -update and review the
// difference.
func TestGolden(t *testing.T) {
	for _, path := range goldenFiles(t) {
		golden := strings.TrimSuffix(path, ".yaml") + ".txt"
		t.Run(golden, func(t *testing.T) {
			for workers := range 3 {
				d, err := sim.Run(context.Background(), loadGolden(t, path), sim.Options{Workers: workers + 1, Stamp: results.Stamp{Tool: "limitgauge", Version: "golden", Seed: 7}})
				if err != nil {
					t.Fatal(err)
				}
				if !*update {
					keepMetrics(t, d, golden)
				}
				got := goldenText(t, d)
				if *update && workers == 0 {
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					line, g, w := firstDifference(got, want)
					t.Fatalf("%d workers: %s:%d differs: got\n%s\nwant\n%s", workers+1, golden, line, g, w)
				}
			}
		})
	}
}

// keepMetrics removes from a document the metrics that its golden text does not
// list: a new metric changes no golden text until -update writes it.
func keepMetrics(t *testing.T, d *results.Document, golden string) {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, " ")
		listed[name] = true
	}
	for _, r := range slices.Concat(d.Results, d.ByPolicy) {
		maps.DeleteFunc(r.Metrics, func(name string, _ results.Summary) bool { return !listed[name] })
	}
}

// goldenText returns a table of the means of a document's metrics, by row, and
// the digest of the whole document.
func goldenText(t *testing.T, d *results.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range append([]string{""}, metricNames(d)...) {
		fmt.Fprint(w, m)
		for _, r := range d.Results {
			cell := r.Algorithm
			if m != "" {
				cell = "-"
				if mean := r.Metrics[m].Mean; mean != nil {
					cell = fmt.Sprintf("%.6g", *mean)
				}
			}
			fmt.Fprint(w, "\t", cell)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintf(&b, "\nSHA-256 of the document: %x\n", sha256.Sum256(simtest.Encode(t, d)))
	return b.Bytes()
}

// metricNames lists the metrics that a document's rows have, in the catalog's order.
func metricNames(d *results.Document) (list []string) {
	for _, m := range sim.Catalog().Metrics {
		if slices.ContainsFunc(d.Results, func(r results.Result) bool { _, ok := r.Metrics[m.Name]; return ok }) {
			list = append(list, m.Name)
		}
	}
	return list
}

// firstDifference returns the number of the first line that differs, counted
// from 1, and the line in each text.
func firstDifference(got, want []byte) (line int, g, w []byte) {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return i + 1, a[i], b[i]
		}
	}
	return min(len(a), len(b)) + 1, nil, nil
}

// TestGoldenCoversEverything checks that the golden files contain everything that a
// scenario can name.
func TestGoldenCoversEverything(t *testing.T) {
	seen := map[string]bool{}
	var list []scenarios.Scenario
	for _, path := range goldenFiles(t) {
		list = append(list, loadGolden(t, path).Scenarios...)
	}
	for _, s := range list {
		seen["network "+s.Topology.Network.Name] = true
		seen["reference "+s.Policy.Reference.Kind] = true
		for _, x := range s.Traffic {
			seen["pattern "+x.Pattern] = true
			if o, ok := x.Options["offset"].V.(catalog.Choice); ok {
				seen["offset "+o.Name] = true
			}
			seen["keys "+x.Keys.Name] = true
			seen["tenants "+x.Tenants.Name] = true
			seen["spread "+x.Spread.Name] = true
			seen["cost "+x.Cost.Name] = true
		}
		for _, a := range s.Algorithms {
			seen["counter "+a.Counter] = true
			seen["enforcement "+a.Enforcement] = true
		}
		if s.Guard != nil {
			seen["service time "+s.Guard.ServiceTime.Name] = true
		}
	}
	w := sim.Catalog()
	for kind, entries := range map[string][]catalog.Entry{
		"pattern": w.Patterns, "offset": catalog.Offset().Choices, "counter": w.Counters, "enforcement": w.Enforcements,
		"network": scenarios.NetworkKinds(), "keys": scenarios.KeyKinds(), "tenants": scenarios.TenantKinds(),
		"spread": scenarios.SpreadKinds(), "cost": scenarios.CostKinds(), "service time": scenarios.ServiceTimeKinds(),
		"reference": {{Name: "token-bucket"}, {Name: "sliding-log"}, {Name: "fixed-window"}},
	} {
		for _, e := range entries {
			if !seen[kind+" "+e.Name] && !e.Counterless { // of no arithmetic of this program
				t.Errorf("no golden scenario has the %s %s", kind, e.Name)
			}
		}
	}
}
