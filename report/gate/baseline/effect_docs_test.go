package baseline

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// TestDefaultEffectAsDocumented compares DefaultEffect with the table of
// docs/ci.md, for the unit of every metric.
func TestDefaultEffectAsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "| unit of the metric | least difference |")
	rows := regexp.MustCompile(`(?m)^ *\| (.*) \| ([0-9.]+) \|$`).FindAllStringSubmatch(text[:strings.Index(text, "\n\n")], -1)
	if len(rows) != 2 || !strings.HasPrefix(rows[1][1], "any other") {
		t.Fatalf("the table has the rows %q", rows)
	}
	for _, m := range measure.Metrics() {
		row := rows[1]
		if strings.Contains(rows[0][1], "`"+m.Unit+"`") {
			row = rows[0]
		}
		if e := DefaultEffect(m.Unit); units.FormatDecimal(e.Absolute) != row[2] || e.Relative != 0.01 {
			t.Errorf("%s, in %s: the effect is %+v, documented as 1 %% and %s", m.Name, m.Unit, e, row[2])
		}
	}
}
