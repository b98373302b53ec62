package scenarios

import (
	"slices"
	"testing"
)

func TestLogFiles(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"version: 1\nscenarios: [{traffic: [{pattern: trace, file: a.csv}, {pattern: constant}]}, {traffic: {files: [b*.csv, 'c d.csv']}}]", []string{"a.csv", "b*.csv", "c d.csv"}},
		{"traffic:\n  named: [{file: a.csv}]\nwrong: {deep: {file: b.csv}}", []string{"a.csv", "b.csv"}},
		{"scenarios:\n  - &anchor {file: a.csv}\n  - {file: b.csv}", []string{"b.csv"}},
		{"file: {files: 3}", []string{"3"}},
		{"a: [", nil}, {"", nil}, {"- 1", nil},
	} {
		if got := LogFiles([]byte(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
