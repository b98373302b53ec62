package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const tinyEquivalent = `# a comment

tiny.go Larger: < to <=
    if a < b {
    Of two equal numbers either is the larger one.
`

func runTiny(t *testing.T, o options) (string, error) {
	t.Helper()
	o.module, o.packages, o.parallel = filepath.Join("testdata", "tiny"), "./...", 2
	var out bytes.Buffer
	err := mutants(t.Context(), &out, io.Discard, o, tinyEquivalent)
	return out.String(), err
}

func TestTinyModule(t *testing.T) {
	out, err := runTiny(t, options{only: "    ", least: 78})
	if err == nil || !strings.Contains(err.Error(), "77.8 %") {
		t.Errorf("error %v, want the share of killed mutants", err)
	}
	want := `killed      floor/floor.go AtLeast: max to min    func AtLeast(least, n int) int { return max(least, n) }  (example.com/tiny TestFare)
survived    tiny.go Child: < to <=    func Child(age int) bool { return age < 18 }  (example.com/tiny)
killed      tiny.go Child: 18 to 0`
	for line := range strings.Lines(want) {
		if !strings.Contains(out, strings.TrimSpace(line)) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
	if want := "equivalent  tiny.go Larger: < to <=    if a < b {  (Of two equal numbers either is the larger one.)"; !strings.Contains(out, want) {
		t.Errorf("no line %q in\n%s", want, out)
	}
}

func TestSameSeedDrawsTheSame(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "tiny"))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := product(t.Context(), dir, "./...", "")
	if err != nil {
		t.Fatal(err)
	}
	first := fmt.Sprint(draw(packages, options{seed: 3, count: 4}))
	if again := fmt.Sprint(draw(packages, options{seed: 3, count: 4})); again != first {
		t.Errorf("drawn:\n%s\nand again:\n%s", first, again)
	}
	if other := fmt.Sprint(draw(packages, options{seed: 4, count: 4})); other == first {
		t.Errorf("another seed draws the same:\n%s", other)
	}
}

func TestShare(t *testing.T) {
	packages := []pkg{{lines: 10}, {lines: 100}, {lines: 890}}
	for count, want := range map[int]string{1: "[1 1 1]", 3: "[1 1 1]", 4: "[1 1 2]", 13: "[1 2 10]", 103: "[2 11 90]"} {
		if got := fmt.Sprint(share(packages, count)); got != want {
			t.Errorf("%d mutants: %s, want %s", count, got, want)
		}
	}
}

func TestStaleEquivalent(t *testing.T) {
	for _, stale := range []string{"tiny.go Larger: < to <=\nif a > b {\nwhy", "gone.go Larger: < to <=\nif a < b {\nwhy"} {
		o := options{module: filepath.Join("testdata", "tiny"), packages: "./..."}
		if err := mutants(t.Context(), io.Discard, io.Discard, o, stale); err == nil || !strings.Contains(err.Error(), "no such mutant") {
			t.Errorf("%q: error %v", stale, err)
		}
	}
}

// TestListedMutantsExist reads the product's files, and runs nothing.
func TestListedMutantsExist(t *testing.T) {
	known, err := parseEquivalent(listed)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := product(t.Context(), dir, "./...", "network")
	if err != nil {
		t.Fatal(err)
	}
	if err := known.exist(dir, packages); err != nil {
		t.Error(err)
	}
	for _, p := range packages {
		seen := map[string]bool{}
		for _, m := range p.mutants {
			if seen[m.String()] {
				t.Errorf("two mutants %s", m)
			}
			seen[m.String()] = true
		}
	}
}

func TestJudge(t *testing.T) {
	for text, want := range map[string]string{
		"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n": "killed p TestA",
		"panic: test timed out after 1m0s\n":                       "timed out p",
		"panic: index out of range\n":                              "killed p",
	} {
		v, by := judge([]byte(text), "p")
		if got := fmt.Sprint(v, " ", by); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	text := `{"Action":"pass","Test":"TestA","Elapsed":1.5}
{"Action":"pass","Test":"TestA/b","Elapsed":1.5}
no JSON
{"Action":"output","Test":"TestB","Output":"--- PASS: TestB\n"}
{"Action":"pass","Test":"TestB","Elapsed":0.5}
{"Action":"pass","Elapsed":9}
`
	if took, output := read([]byte(text)); took != 2*time.Second || output != "no JSON\n--- PASS: TestB\n" {
		t.Errorf("%s, %q", took, output)
	}
}

func TestJudges(t *testing.T) {
	tested := []string{"a_test.go"}
	list := func(path string, tests, deps []string, imports ...string) listing {
		l := listing{ImportPath: "m" + path, TestGoFiles: tests, Deps: deps, Imports: imports}
		l.Module.Path = "m"
		return l
	}
	everything := []listing{
		list("/sim", tested, []string{"m/sim/limiters", "m/sim/limiters/gossip", "m/algorithms/gossip", "m/ticks"}, "m/sim/limiters"),
		list("/sim/limiters", tested, []string{"m/sim/limiters/gossip", "m/algorithms/gossip", "m/ticks"}, "m/sim/limiters/gossip"),
		list("/sim/limiters/gossip", tested, []string{"m/algorithms/gossip", "m/ticks"}, "m/algorithms/gossip", "m/ticks"),
		list("/algorithms/gossip", tested, []string{"m/ticks"}, "m/ticks"),
		list("/step", tested, []string{"m/algorithms/gossip"}, "m/algorithms/gossip"),
		list("/ticks", nil, nil),
	}
	for i, want := range []string{"[m/sim]", "[m/sim/limiters m/sim]", "[m/sim/limiters/gossip m/sim/limiters m/sim]", "[m/algorithms/gossip m/sim/limiters/gossip]", "[m/step]", "[m/algorithms/gossip]"} {
		if got := fmt.Sprint(judges(everything[i], everything)); got != want {
			t.Errorf("%s is judged by %s, want %s", everything[i].ImportPath, got, want)
		}
	}
}

func TestCancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := options{module: filepath.Join("testdata", "tiny"), packages: "./..."}
	if err := mutants(ctx, io.Discard, io.Discard, o, ""); err == nil {
		t.Error("a cancelled run succeeded")
	}
}

func TestEdits(t *testing.T) {
	all, err := mutantsOf(".", filepath.Join("testdata", "edits.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.String())
	}
	want := []string{
		"testdata/edits.txt list.add: negated condition    if n > 0 && l.open {",
		"testdata/edits.txt list.add: && to ||    if n > 0 && l.open {",
		"testdata/edits.txt list.add: > to >=    if n > 0 && l.open {",
		"testdata/edits.txt list.add: 0 to 1    if n > 0 && l.open {",
		"testdata/edits.txt list.add: without the step    l.n++",
		"testdata/edits.txt list.add: ++ to --    l.n++",
		"testdata/edits.txt list.add: nil for an error    return errors.New(\"closed\")",
		"testdata/edits.txt limit: 0x10 to 0    var limit = 0x10",
		"testdata/edits.txt limit: 0x10 to 17    var limit = 0x10",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
