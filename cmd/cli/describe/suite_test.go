package describe

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
)

// TestExplainSuite compares the description of a scenario file with what it must say.
func TestExplainSuite(t *testing.T) {
	var w strings.Builder
	explainSuite(&w, &scenarios.Suite{Name: "small", About: "Two scenarios.", Source: []byte(`# Two scenarios.
version: 1
scenarios:
  - name: first
    about: One limiter.
    policy: {limit: 1/s}
  - name: second
    policy: {limit: 1/s}
`)})
	want := `small (scenario file)
Two scenarios.

Use
  limitgauge run small
  limitgauge run small --scenario NAME
  limitgauge init --template small

Scenarios (2)
  first
      One limiter.
  second
`
	if got := w.String(); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
}
