package house

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// imports returns a file of Go that imports packages.
func imports(packages ...string) string {
	text := "package p\n"
	for _, p := range packages {
		text += fmt.Sprintf("import _ %q\n", p)
	}
	return text
}

// ours returns a file of Go that imports packages of this module.
func ours(folders ...string) string {
	for i, f := range folders {
		folders[i] = module + "/" + f
	}
	return imports(folders...)
}

// many returns a package of n files.
func many(dir string, n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%s/f%d.go", dir, i)] = "package p\n"
	}
	return files
}

// merged returns the files of both trees.
func merged(a, b map[string]string) map[string]string {
	maps.Copy(a, b)
	return a
}

// sound returns the files of a tree in which all rules hold of the root.
func sound() map[string]string {
	files := map[string]string{}
	for _, folder := range rootFolders {
		files[folder+"/README"] = ""
	}
	for _, file := range rootFiles {
		files[file] = ""
	}
	return files
}

// check returns what a rule finds in a tree of files.
func check(t *testing.T, name string, files map[string]string) []string {
	t.Helper()
	made := fstest.MapFS{}
	for path, text := range files {
		made[path] = &fstest.MapFile{Data: []byte(text)}
	}
	read, err := readTree(made)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
	if i < 0 {
		t.Fatalf("there is no rule %q", name)
	}
	return rules[i].check(read)
}

// TestBrokenRules breaks each rule in a small tree.
func TestBrokenRules(t *testing.T) {
	tests := []struct {
		rule  string
		files map[string]string // besides those of a sound tree
		want  string            // what the only problem contains; "" means that there is none
	}{
		{"root", map[string]string{".ci/run": "", "limitgauge": "", "sim/sim.test": ""}, ""},
		{"root", map[string]string{"util/util.go": "package util"}, "the root has the folder util"},
		{"root", map[string]string{"main.go": "package main"}, "the root has the file main.go"},

		{"floors", map[string]string{"cmd/cli/run.go": ours("sim", "report", "search/size"), "docs/reference/a.go": ours("cmd/cli")}, ""},
		{"floors", map[string]string{"sim/a_test.go": ours("cmd/cli")}, ""},
		{"floors", map[string]string{"sim/a.go": ours("report/gate")}, "sim/a.go imports report/gate, which is not below it"},
		{"floors", map[string]string{"live/a.go": ours("gauge")}, "live/a.go imports gauge, which is not below it"},
		{"floors", map[string]string{"internal/stats/a.go": ours("scenarios")}, "which is not below it"},
		{"floors", map[string]string{"sim/a.go": ours("docs/reference")}, "imports docs/reference, which has no floor"},
		{"floors", map[string]string{"logs/a.go": ours("logs/formats"), "logs/formats/b.go": ours("logs/times", "logs/text"), "live/c.go": ours("logs/jsontext")}, ""},
		{"floors", map[string]string{"logs/text/a.go": ours("logs/formats")}, "imports logs/formats, which is not below it: the floors are jsontext, text < "},
		{"floors", map[string]string{"logs/text/a.go": ours("logs")}, "imports logs, which is not below it"},
		{"floors", map[string]string{"logs/a.go": ours("logs/csv")}, "imports logs/csv, which has no floor"},
		{"floors", map[string]string{"sim/a.go": ours("logs/kept")}, "imports logs/kept, a part of logs that it alone imports"},
		{"floors", map[string]string{"cmd/cli/usage/a.go": ours("cmd/cli/terminal")}, "which is not below it: the floors are usage < terminal"},
		{"floors", map[string]string{"cmd/main.go": ours("cmd/cli/usage")}, "a part of cmd/cli that it alone imports"},
		{"floors", map[string]string{"cmd/explore/a.go": ours("cmd/cli")}, "imports cmd/cli, which is not below it"},

		{"test helpers", map[string]string{"sim/a_test.go": ours("sim/simtest"), "sim/simtest/a.go": ours("internal/testing/golden")}, ""},
		{"test helpers", map[string]string{"sim/a.go": ours("sim/simtest"), "sim/simtest/a.go": imports()}, "sim/a.go imports sim/simtest, which is for tests alone"},
		{"test helpers", map[string]string{"cmd/a.go": ours("internal/testing/golden"), "internal/testing/golden/a.go": imports()}, "which is for tests alone"},

		{"programs of users", map[string]string{"cmd/cli/a.go": ours("sim/outside/process")}, ""},
		{"programs of users", map[string]string{"sim/engine/a.go": ours("sim/outside/process")}, "sim/engine/a.go imports sim/outside/process"},

		{"size of packages", many("sim", mostFiles), ""},
		{"size of packages", many("sim", mostFiles+1), "sim has 46 files of Go without tests, more than 45"},
		{"size of packages", merged(many("logs/formats", mostFiles), map[string]string{"logs/formats/alb.go": "package p\n\nvar alb = Format{\n}\n"}), ""},
		{"size of packages", merged(many("logs/formats", mostFiles), map[string]string{"logs/formats/alb.go": "package p\n\nvar alb = layout{\n}\n"}), "logs/formats has 46 files"},
		{"size of packages", many("scenarios", larger["scenarios"]), ""},
		{"size of packages", many("scenarios", larger["scenarios"]+1), "scenarios has 49 files of Go without tests, more than 48"},
		{"size of packages", many("scenarios", 3), "strike its exception"},

		{"size of folders", map[string]string{"sim/a.go": "package p", "logs/a.go": "package p", "live/a.go": "package p\n\n// many\n// words\n"}, ""},
		{"size of folders", map[string]string{"sim/a.go": imports("io", "os"), "logs/a.go": imports("io"), "live/a.go": imports()}, "sim has 3 of the product's 6 lines of code, more than a third"},

		{"cobra", map[string]string{"cmd/cli/usage/a.go": imports("github.com/spf13/cobra")}, ""},
		{"cobra", map[string]string{"gauge/a.go": imports("github.com/spf13/cobra")}, "gauge/a.go imports github.com/spf13/cobra"},
		{"cobra", map[string]string{"cmd/explore/a.go": imports("github.com/spf13/pflag")}, "cmd/explore/a.go imports github.com/spf13/pflag"},

		{"tag network", map[string]string{"search/jetstream/a.go": "//go:build network && !windows\n\npackage p\n", "live/a_test.go": "//go:build network\n\npackage p\n"}, ""},
		{"promises", map[string]string{"gauge/a.go": "// Package p.\npackage p\n", "sim/a.go": "// Package p makes no promise.\npackage p\n", "cmd/x/a.go": "package main\n", "internal/a.go": "package p\n", "sim/a_test.go": "package p\n"}, ""},
		{"promises", map[string]string{"sim/a.go": "// Package p.\npackage p\n"}, "the comment of sim does not say"},
		{"promises", map[string]string{"gauge/a.go": "// Package p makes no promise.\npackage p\n"}, "gauge is promised"},
		{"tag network", map[string]string{"live/send/a.go": "//go:build unix && network\n\npackage p\n"}, "live/send/a.go has the build tag network"},
	}
	broken := map[string]bool{}
	for _, test := range tests {
		files := sound()
		maps.Copy(files, test.files)
		problems := check(t, test.rule, files)
		switch {
		case test.want == "" && len(problems) > 0:
			t.Errorf("%s: a tree in which it holds has the problems %q", test.rule, problems)
		case test.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], test.want)):
			t.Errorf("%s: the problems are %q, not one with %q", test.rule, problems, test.want)
		}
		broken[test.rule] = broken[test.rule] || test.want != ""
	}
	for _, r := range rules {
		if !broken[r.name] {
			t.Errorf("no tree breaks the rule %q", r.name)
		}
	}
}
