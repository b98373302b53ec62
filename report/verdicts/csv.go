package verdicts

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/gate"
)

// writeCSV writes a line for each verdict. Columns are only ever added, at the
// end.
func writeCSV(w io.Writer, v gate.Verdicts) error {
	lines := [][]string{{
		"scenario", "algorithm", "metric", "op", "threshold", "status", "figure", "bad_end", "seed", "line", "col", "reason",
		"kind", "allowed", "base", "change", "min_effect", "p", "file", "note", "caught_80", "caught_99", "not_worse", "margin", "worst",
		"compared", "replications", "least_changed",
	}}
	for _, one := range v.All() {
		limit, change := "", [12]string{}
		switch one.Kind() {
		case gate.Threshold:
			limit = format.Exact(one.Threshold)
		case gate.Baseline:
			c := one.Change
			change = [12]string{
				format.Precise(c.Base), format.Precise(c.Change), format.Precise(&c.MinEffect), format.Precise(c.P),
				format.Precise(c.Caught80), format.Precise(c.Caught99), c.NotWorse, format.Precise(c.Margin), format.Precise(c.Worst),
				c.Compared, strconv.Itoa(c.Replications), strconv.Itoa(c.LeastChanged),
			}
		}
		lines = append(lines, append([]string{
			one.Scenario, one.Algorithm, one.Metric, one.Op, limit, one.Status.String(),
			format.Precise(one.Figure), format.Precise(one.BadEnd), strconv.FormatUint(one.Seed, 10),
			strconv.Itoa(one.Line), strconv.Itoa(one.Col), one.Reason,
			string(one.Kind()), strconv.FormatBool(one.Excused()), change[0], change[1], change[2], change[3], one.File, one.Note,
		}, change[4:]...))
	}
	if err := csv.NewWriter(w).WriteAll(lines); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}
