package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseRatios(t *testing.T) {
	groups := []group{{name: "one", contestants: []contestant{{name: "a, b"}, {name: "d", skip: "not here"}}}, {name: "two", contestants: []contestant{{name: "c"}}}}
	for _, tt := range []struct{ text, err string }{
		{"# only a comment\n", "no ratios"},
		{"\none | a, b\n", "line 2: want group"},
		{"one | c | 2", `line 1: no "c" in a group "one"`},
		{"one | d | 2", "line 1: d: programs of others"},
		{"two | c | 0", `line 1: "0" is no ratio`},
		{"two | c | NaN", `line 1: "NaN" is no ratio`},
	} {
		if _, err := parseRatios(tt.text, groups); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.err)
		}
	}
	all, err := parseRatios("one | a, b | 2.5 # why\n\ntwo|c|10\n", groups)
	if err != nil || len(all) != 2 || all[0].name != "a, b" || all[0].ratio != 2.5 || all[1].group != "two" {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestJudge(t *testing.T) {
	all := []committed{{group: "g", name: "at the margin", ratio: 2}, {group: "g", name: "beyond", ratio: 3}}
	if slow := judge(io.Discard, all, 10, []float64{32, 48.1}); !slices.Equal(slow, []string{"g: beyond"}) {
		t.Errorf("slow: %q", slow)
	}
}

// All contestants in ratios.txt exist.
func TestCommittedRatios(t *testing.T) {
	text, err := os.ReadFile("ratios.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseRatios(string(text), groups(&foreign{})); err != nil {
		t.Error(err)
	}
}
