package sim

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

var update = flag.Bool("update", false, "write testdata/golden.json anew")

func goldenFile(t *testing.T) *scenarios.File {
	t.Helper()
	text, err := os.ReadFile("testdata/golden.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return load(t, string(text))
}

// The results document of testdata/golden.yaml is the same everywhere, to the
// byte: on every processor and with any number of workers. Whoever changes a
// figure on purpose runs the test with -update and looks at the difference.
func TestGolden(t *testing.T) {
	const path = "testdata/golden.json"
	for workers := range 3 {
		d, err := Run(context.Background(), goldenFile(t), Options{Workers: workers + 1, Stamp: results.Stamp{Tool: "limitgauge", Version: "golden", Seed: 7}})
		if err != nil {
			t.Fatal(err)
		}
		got := encode(t, d)
		if *update && workers == 0 {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			line, g, w := firstDifference(got, want)
			t.Fatalf("%d workers: %s:%d differs: got\n%s\nwant\n%s", workers+1, path, line, g, w)
		}
	}
}

// firstDifference is the number of the first line that differs, from 1, and
// the line in each.
func firstDifference(got, want []byte) (line int, g, w []byte) {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return i + 1, a[i], b[i]
		}
	}
	return min(len(a), len(b)) + 1, nil, nil
}

// The golden file leaves out nothing that a scenario can name.
func TestGoldenCoversEverything(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range goldenFile(t).Scenarios {
		seen["network "+s.Topology.Network.Name] = true
		seen["reference "+s.Policy.Reference] = true
		for _, x := range s.Traffic {
			seen["pattern "+x.Pattern] = true
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
	w := Catalog()
	for kind, entries := range map[string][]catalog.Entry{
		"pattern": w.Patterns, "counter": w.Counters, "enforcement": w.Enforcements,
		"network": scenarios.NetworkKinds(), "keys": scenarios.KeyKinds(), "tenants": scenarios.TenantKinds(),
		"spread": scenarios.SpreadKinds(), "cost": scenarios.CostKinds(), "service time": scenarios.ServiceTimeKinds(),
		"reference": {{Name: "token-bucket"}, {Name: "sliding-log"}, {Name: "fixed-window"}},
	} {
		for _, e := range entries {
			if !seen[kind+" "+e.Name] {
				t.Errorf("testdata/golden.yaml has no %s %s", kind, e.Name)
			}
		}
	}
}
