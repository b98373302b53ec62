package verdicts

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestGolden renders the verdicts of the small document in every format and
// compares them with testdata. `go test ./report/verdicts -update` rewrites the
// files; review the difference.
func TestGolden(t *testing.T) {
	v := compareWithBase(gate.Evaluate(resultstest.Document()))
	v.Took = gate.Took{Run: 2345 * time.Millisecond, Scenarios: map[string]time.Duration{"steady 3x": 2125 * time.Millisecond, "boundary | straddle": 220 * time.Millisecond}}
	for _, format := range append(Formats(), "summary") {
		var got bytes.Buffer
		if err := renderAny(&got, v, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		golden.Compare(t, filepath.Join("testdata", format+".golden"), got.Bytes())
	}
}
