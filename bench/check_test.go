package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseRatios(t *testing.T) {
	for _, tt := range []struct{ text, err string }{
		{"\none | a, b\n", "line 2: want group"},
		{"two | c | 0", `line 1: "0" is no ratio`},
		{"two | c | NaN", `line 1: "NaN" is no ratio`},
	} {
		if _, err := parseRatios(tt.text); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.err)
		}
	}
	all, err := parseRatios("one | a, b | 2.5 # why\n\ntwo|c|10\n")
	if err != nil || len(all) != 2 || all["one: a, b"] != 2.5 || all["two: c"] != 10 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestJudge(t *testing.T) {
	rows := []row{{group: "g", contestant: contestant{name: "at the margin"}}, {group: "g", contestant: contestant{name: "beyond"}}}
	ratios := map[string]float64{"g: at the margin": 2, "g: beyond": 3}
	if slow := judge(io.Discard, rows, ratios, 10, []float64{32, 48.1}); !slices.Equal(slow, []string{"g: beyond"}) {
		t.Errorf("slow: %q", slow)
	}
}

// ratios.txt has a figure for every row, and none for a row that is gone.
func TestEveryRowIsWatched(t *testing.T) {
	text, err := os.ReadFile(ratiosFile)
	if err != nil {
		t.Fatal(err)
	}
	ratios, err := parseRatios(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := unlisted(simulated(groups(&foreign{}), ""), ratios); err != nil {
		t.Error(err)
	}
	if err := unlisted([]row{{group: "new", contestant: contestant{name: "row"}}}, map[string]float64{"old: row": 1}); err == nil ||
		err.Error() != "new: row has no ratio\nold: row is no row" {
		t.Errorf("a row too many and one too few: %v", err)
	}
}
