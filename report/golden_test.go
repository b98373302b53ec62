package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestGolden renders the verdicts of the small document in every form and compares it with
// testdata; review what `go test ./report -update` rewrites as text.
func TestGolden(t *testing.T) {
	doc := small()
	verdictsAs := func(format string) func(io.Writer) error {
		return func(w io.Writer) error { return RenderVerdicts(w, compareWithBase(Evaluate(doc)), format) }
	}
	for name, render := range map[string]func(io.Writer) error{
		"verdicts.txt":    verdictsAs("table"),
		"verdicts.md":     verdictsAs("markdown"),
		"verdicts.csv":    verdictsAs("csv"),
		"verdicts.json":   verdictsAs("json"),
		"verdicts.jsonl":  verdictsAs("jsonl"),
		"verdicts.xml":    verdictsAs("junit"),
		"annotations.txt": verdictsAs("github"),
		"benchmark.json":  verdictsAs("benchmark"),
		"job-summary.md":  func(w io.Writer) error { return WriteSummary(w, compareWithBase(Evaluate(doc)), MaxSummary) },
	} {
		var got bytes.Buffer
		if err := render(&got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := WriteFile(path, func(w io.Writer) error { _, err := w.Write(got.Bytes()); return err }); err != nil {
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
