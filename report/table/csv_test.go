package table

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// With columns, CSV has only these metrics, in their order. Counts are integers,
// and the figure of the worst key names its key.
func TestCSVColumns(t *testing.T) {
	count, share := 1999998.0, 12.5
	doc := resultstest.Document()
	r := &doc.Results[slices.IndexFunc(doc.Results, func(r results.Result) bool { return r.Reference })] // written first
	r.WorstKey = "tenant,7"
	r.Metrics = map[string]results.Summary{
		"admitted_requests": {Mean: &count, Lo: &count, Hi: &count},
		WorstKey:            {Mean: &share}, "over_limit_pct": {Mean: &share},
	}
	var out bytes.Buffer
	if err := CSV(&out, doc, []string{WorstKey, "admitted_requests"}, resultstest.Metrics); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1+2*len(doc.Results) {
		t.Fatalf("%d lines, want the header and two metrics of each row:\n%v", len(lines), lines)
	}
	column := func(line int, name string) string { return lines[line][slices.Index(lines[0], name)] }
	if metric, key := column(1, "metric"), column(1, "key"); metric != WorstKey || key != "tenant,7" {
		t.Errorf("first line is %s of key %q, want %s of tenant,7", metric, key, WorstKey)
	}
	if metric, mean := column(2, "metric"), column(2, "mean"); metric != "admitted_requests" || mean != "1999998" || column(2, "key") != "" {
		t.Errorf("second line is %v, want admitted_requests 1999998 without a key", lines[2])
	}
	if reason := column(3, "reason"); reason != "not measured" {
		t.Errorf("reason of a metric that a row lacks is %q, want not measured", reason)
	}
}
