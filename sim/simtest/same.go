package simtest

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/sim/results"
)

// EncodeResults returns a document without what the definition of a row changes: the text
// of the scenario file, warnings about its options, and the name of its counter.
func EncodeResults(t T, d *results.Document) []byte {
	t.Helper()
	d.Stamp.Scenario, d.Stamp.ScenarioSHA256 = "", ""
	for i := range d.Scenarios {
		d.Scenarios[i].Warnings = nil
	}
	for i := range d.Results {
		d.Results[i].Counts = ""
	}
	return Encode(t, d)
}

// FirstDifference returns the first lines in which two documents differ, and those
// before them.
func FirstDifference(want, got []byte) string {
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, strings.Join(a[max(0, i-8):i+1], "\n"), b[i])
		}
	}
	return "length"
}
