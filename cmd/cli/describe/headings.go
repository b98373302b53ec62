package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// headedBy returns the metrics that tables print under a heading, which may be written with
// its unit: "over-limit %", "p99 ms" or "server calls/s".
func headedBy(metrics []catalog.Metric, heading string) []catalog.Metric {
	wanted := letters(heading)
	inRequests := table.InUnitsOf("requests", nil, metrics)
	return lists.Where(metrics, func(m catalog.Metric) bool {
		c := table.ColumnOf(m.Name, metrics)
		names := []string{c.Header, c.Label(), table.ColumnOf(m.Name, inRequests).Label()}
		return wanted != "" && slices.ContainsFunc(names, func(name string) bool { return letters(name) == wanted })
	})
}

// common are words in the names of many metrics that make no family.
var common = strings.Fields("pct ms s per mean max min p50 p90 p99 p999 sd run of in and to by at a 1s 10ms")

// familyOf returns the metrics whose names have these words: fairness, latency, over limit.
func familyOf(metrics []catalog.Metric, name string) []catalog.Metric {
	wanted := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	if len(wanted) == 0 || !slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(common, word) }) {
		return nil
	}
	return lists.Where(metrics, func(m catalog.Metric) bool {
		return strings.Contains("_"+m.Name+"_", "_"+strings.Join(wanted, "_")+"_")
	})
}

// explainFamily lists metrics with what they measure.
func explainFamily(w *strings.Builder, name string, family []catalog.Metric) {
	if len(family) == 0 {
		return
	}
	fmt.Fprintf(w, "%s (metrics: %d)\n", name, len(family))
	for _, m := range family {
		fmt.Fprintf(w, "  %s (%s)\n%s", m.Name, m.Unit, usage.Wrap(m.Doc, "      ", 96))
	}
}
