package table

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limitgauge/limitgauge/results"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestGolden renders the small document in every form and compares it with
// testdata; review what `go test ./report/table -update` rewrites as text.
func TestGolden(t *testing.T) {
	doc := small()
	verdicts := map[string][]string{"steady 3x": {
		"expect failed: batch-100ms over_limit_pct <= 10 (was 12.3, interval to 12.7, seed 1)",
		"expect failed: batch-debt under_admission_pct <= 8 (was 7.9, interval to 8.15, seed 1)",
		"expect unevaluated: batch-debt settle_s < 2 (no data: traffic declares no step; seed 1)",
	}}
	tables := []Table{Inputs(doc)}
	for _, s := range doc.Scenarios {
		tables = append(tables, Comparison(doc, s.Name, nil, registry, verdicts[s.Name]))
	}
	tables = append(tables, Rejections(doc, "boundary | straddle"))

	for name, render := range map[string]func(io.Writer) error{
		"tables.txt":   func(w io.Writer) error { return renderAll(w, tables, Text) },
		"tables.md":    func(w io.Writer) error { return renderAll(w, tables, Markdown) },
		"results.csv":  func(w io.Writer) error { return CSV(w, doc, registry) },
		"results.json": func(w io.Writer) error { return results.Encode(w, doc) },
	} {
		var got bytes.Buffer
		if err := render(&got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
}

func renderAll(w io.Writer, tables []Table, render func(io.Writer, Table) error) error {
	for i, t := range tables {
		if i > 0 {
			io.WriteString(w, "\n")
		}
		if err := render(w, t); err != nil {
			return err
		}
	}
	return nil
}
