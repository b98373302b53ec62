package table

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestGolden renders the small document in every format and compares it with
// testdata. `go test ./report/table -update` rewrites the files; review the
// difference.
func TestGolden(t *testing.T) {
	doc := resultstest.Document()
	verdicts := map[string]Verdicts{"steady 3x": {Missed: 3, Held: []string{"expect passed: batch-100ms over_limit_pct <= 20 (was 12.3, interval to 12.7, seed 1)"}, Open: []string{
		"expect failed: batch-100ms over_limit_pct <= 10 (was 12.3, interval to 12.7, seed 1)",
		"expect failed: batch-debt under_admission_pct <= 8 (was 7.9, interval to 8.15, seed 1)",
		"expect unevaluated: batch-debt settle_s < 2 (no data: traffic declares no step; seed 1)",
	}}}
	tables := []Table{Inputs(doc)}
	parts := doc.PerScenario()
	for _, part := range parts {
		tables = append(tables, Comparison(part, nil, resultstest.Metrics, verdicts[part.Scenarios[0].Name]))
	}
	tables = append(tables, Rejections(parts[1]))
	full, short := lists.Map(tables, Table.Full), lists.Map(tables, Table.Short)

	for name, render := range map[string]func(io.Writer) error{
		"tables.txt":   func(w io.Writer) error { return WriteAll(w, full, Text) },
		"short.txt":    func(w io.Writer) error { return WriteAll(w, short, Text) },
		"tables.md":    func(w io.Writer) error { return WriteAll(w, full, Markdown) },
		"results.csv":  func(w io.Writer) error { return CSV(w, doc, nil, resultstest.Metrics) },
		"results.json": func(w io.Writer) error { return results.Encode(w, doc) },
	} {
		var got bytes.Buffer
		if err := render(&got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		golden.Compare(t, filepath.Join("testdata", name), got.Bytes())
	}
}
