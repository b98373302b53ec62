package baseline

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

func TestBaselineSurvivesItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "base.json")
	doc := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...), "burst_excess": resultstest.NoData("none", 10),
		"over_limit_pct_max": largestOf(&ten[0], nil, &ten[2], &ten[3], &ten[4], &ten[5], &ten[6], &ten[7], &ten[8], &ten[9])})
	doc.Series = []results.Series{{Scenario: "s", Algorithm: "a", BinNs: 1, Offered: []int64{1}, Admitted: []int64{1}}}
	keep(t, path, doc)
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Series) != 1 || len(got.Series) != 0 {
		t.Errorf("series: %d in the document, %d in the baseline; want 1 and 0", len(doc.Series), len(got.Series))
	}
	if diff := cmp.Diff(doc.Results, got.Results); diff != "" {
		t.Errorf("results of the baseline differ (-document +baseline):\n%s", diff)
	}
	var before, after bytes.Buffer
	results.Encode(&before, got)
	keep(t, path, got)
	again, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if results.Encode(&after, again); before.String() != after.String() {
		t.Error("written again the baseline differs")
	}
}

// keep writes the document's baseline to path.
func keep(t *testing.T, path string, doc *results.Document) {
	t.Helper()
	kept, err := From(doc)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := results.Encode(&out, kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFromRefuses checks that From refuses a document that a later run cannot be
// compared with.
func TestFromRefuses(t *testing.T) {
	whole := func() *results.Document {
		return document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)})
	}
	for _, c := range []struct {
		name    string
		perturb func(*results.Document)
		want    string
	}{
		{"empty", func(d *results.Document) { *d = results.Document{SchemaVersion: results.SchemaVersion} }, "no scenarios"},
		{"partial", func(d *results.Document) { d.Partial = true }, "partial"},
		{"no results", func(d *results.Document) { d.Results = nil }, "no results"},
		{"no figures", func(d *results.Document) {
			for i := range d.Results {
				d.Results[i].Metrics = map[string]results.Summary{"over_limit_pct": resultstest.NoData("none", 0)}
			}
		}, "no result has a figure"},
		{"a scenario without results", func(d *results.Document) { d.Scenarios = append(d.Scenarios, results.Scenario{Name: "t"}) }, `scenario "t" has no results`},
		{"a reference alone", func(d *results.Document) { d.Results = d.Results[:1] }, `scenario "s" has no results`},
		{"no stamp", func(d *results.Document) { d.Stamp = results.Stamp{} }, "does not state the scenario"},
		{"no values", func(d *results.Document) {
			s := resultstest.Sample(ten...)
			s.Values = nil
			d.Results[1].Metrics["over_limit_pct"] = s
		}, `scenario "s", a: over_limit_pct lacks the values`},
		{"values of another figure", func(d *results.Document) {
			s := resultstest.Sample(ten...)
			s.Values = resultstest.Sample(moved(ten, 1)...).Values
			d.Results[1].Metrics["over_limit_pct"] = s
		}, "has the mean 10, but its values have 11"},
	} {
		doc := whole()
		c.perturb(doc)
		_, err := From(doc)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a refusal with %q", c.name, err, c.want)
		}
	}
	doc := whole()
	doc.SchemaVersion = 9
	var schema *results.SchemaError
	if _, err := From(doc); !errors.As(err, &schema) {
		t.Errorf("another schema: error %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	var refusal *Refusal
	if _, err := Load(filepath.Join(dir, "none.json")); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "there is no baseline") {
		t.Errorf("a missing baseline: error %v", err)
	}
	write := func(text string) string {
		path := filepath.Join(dir, "b.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var schema *results.SchemaError
	if _, err := Load(write(`{"schema_version": 9}`)); !errors.As(err, &schema) {
		t.Errorf("a baseline of another schema: error %v", err)
	}
	for _, text := range []string{"", "{", "{}", `{"schema_version": 1}`} {
		if _, err := Load(write(text)); err == nil {
			t.Errorf("%q is taken for a baseline", text)
		}
	}
	var out bytes.Buffer
	doc := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	doc.Partial = true
	if err := results.Encode(io.Writer(&out), doc); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(write(out.String())); !errors.As(err, &refusal) {
		t.Errorf("a partial baseline: error %v", err)
	}
}
