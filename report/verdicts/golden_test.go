package verdicts

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limitgauge/limitgauge/gate"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestGolden renders the verdicts of the small document in every format and
// compares them with testdata. Review what `go test ./report/verdicts -update`
// rewrites as text.
func TestGolden(t *testing.T) {
	v := compareWithBase(gate.Evaluate(small()))
	for _, format := range append(Formats(), "summary") {
		var got bytes.Buffer
		if err := renderAny(&got, v, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		path := filepath.Join("testdata", format+".golden")
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
			t.Errorf("%s differs (-want +got):\n%s", path, diff)
		}
	}
}
