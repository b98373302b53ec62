package compare

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

func document(algorithms ...string) *results.Document {
	d := &results.Document{Scenarios: []results.Scenario{{Name: "steady"}}}
	for i, name := range algorithms {
		x := float64(i)
		d.Results = append(d.Results, results.Result{
			Scenario: "steady", Algorithm: name, Reference: i == 0, Exact: true, Replications: 1,
			Metrics: map[string]results.Summary{"over_limit_pct": {Mean: &x, Lo: &x, Hi: &x, Values: []*float64{&x}}},
		})
	}
	return d
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"too few fields", Options{Rows: []Field{Scenario}, Tables: []Field{Metric}, Col: []Field{File}}, "add algorithm to the rows"},
		{"a field twice", Options{Rows: []Field{Metric}, Col: []Field{Metric}}, "field metric is used twice"},
		{"two columns", Options{Col: []Field{Metric, File}}, "by one field"},
		{"no such base", Options{Col: []Field{Algorithm}, Rows: []Field{Metric, File}, Base: "nope"}, `no algorithm is called "nope": there are reference, batch`},
	} {
		_, err := Compare([]*results.Document{document("reference", "batch"), document("reference", "batch")}, []string{"a", "b"}, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := Compare(nil, nil, Options{}); err == nil {
		t.Error("no documents are compared")
	}
	if _, err := Compare([]*results.Document{{}}, []string{"a"}, Options{}); err == nil {
		t.Error("an empty document is compared")
	}
	if _, err := ParseFields([]string{"scenario", "policy"}); err == nil || !strings.Contains(err.Error(), "one of scenario, algorithm, metric, file") {
		t.Errorf("an unknown field: error %v", err)
	}
	if got, err := ParseFields([]string{"file", "metric"}); err != nil || len(got) != 2 || got[0] != File || got[1] != Metric {
		t.Errorf("fields %v, %v", got, err)
	}
}
