package compare

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"too few fields", Options{Rows: []Field{Scenario}, Tables: []Field{Metric}, Col: []Field{File}}, "add algorithm to the rows"},
		{"a field twice", Options{Rows: []Field{Metric}, Col: []Field{Metric}}, "field metric is used twice"},
		{"two columns", Options{Col: []Field{Metric, File}}, "by one field"},
		{"no such base", Options{Col: []Field{Algorithm}, Rows: []Field{Metric, File}, Base: "nope"}, `no algorithm is called "nope": there are reference, batch, debt, gone, window, jitter`},
	} {
		_, err := Tables([]*results.Document{before(), before()}, []string{"a", "b"}, c.o, registry)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := Tables(nil, nil, Options{}, nil); err == nil {
		t.Error("no documents are compared")
	}
	if _, err := Tables([]*results.Document{{}}, []string{"a"}, Options{}, nil); err == nil {
		t.Error("an empty document is compared")
	}
	if _, err := ParseFields([]string{"scenario", "policy"}); err == nil || !strings.Contains(err.Error(), "one of scenario, algorithm, metric, file") {
		t.Errorf("an unknown field: error %v", err)
	}
	if got, err := ParseFields([]string{"file", "metric"}); err != nil || len(got) != 2 || got[0] != File || got[1] != Metric {
		t.Errorf("fields %v, %v", got, err)
	}
}
