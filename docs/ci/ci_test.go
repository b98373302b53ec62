// Package ci tests what this repository offers to the pipelines of others: the
// scripts of action.yml and gitlab.yml, run as their machines run them.
package ci

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

// The gates of these tests have one deterministic row, so their outcome does
// not vary.
const (
	scenario = `version: 1
duration: 5s
scenarios:
  - name: "boundary: 100%"
    policy: {limit: 100/s, burst: 100}
    traffic: [{pattern: boundary, count: 100, window: 1s, offset: 10ms, width: 100ms, every: 3}]
    algorithms: [fixed-window]
`
	passing     = scenario + "    expect: {fixed-window: {over_limit_pct: \"== 0\"}}\n"
	failing     = scenario + "    expect: {fixed-window: {rejected_pct: \"> 50\"}}\n"
	unevaluated = scenario
)

var gates = []struct {
	name, file string
	code       int
	outcome    string
}{
	{"passing", passing, 0, "passed"},
	{"failing", failing, 3, "failed"},
	{"nothing to check", unevaluated, 4, "unevaluated"},
}

// action holds the parts of action.yml that determine what is run.
type action struct {
	Inputs map[string]struct {
		Default string
	}
	Runs struct {
		Using string
		Steps []struct {
			ID    string
			Shell string
			Env   map[string]string
			Run   string
			Uses  string
			If    string
			With  map[string]string
		}
	}
	Outputs map[string]struct{ Value string }
}

// machine imitates a CI runner: it has directories, an environment and bash.
type machine struct {
	workspace, temp string
	env             map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("only on Unix: the stubs are shell scripts")
	}
	for _, tool := range []string{"bash", "go"} {
		foreground.Need(t, tool)
	}
	m := &machine{workspace: t.TempDir(), temp: t.TempDir()}
	m.env = map[string]string{
		"RUNNER_TEMP": m.temp, "GITHUB_WORKSPACE": m.workspace, "CI_PROJECT_DIR": m.workspace,
		"GITHUB_OUTPUT":       filepath.Join(m.temp, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(m.temp, "summary"),
	}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		m.write(t, m.env[name], "")
	}
	return m
}

func (m *machine) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bash runs a script as `shell: bash` of a workflow does, in the workspace.
func (m *machine) bash(t *testing.T, script string, env map[string]string) (stdout string, code int) {
	t.Helper()
	path := filepath.Join(m.temp, "script.sh")
	m.write(t, path, script)
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", path)
	c.Dir = m.workspace
	c.Env = os.Environ()
	for _, variables := range []map[string]string{m.env, env} {
		for name, value := range variables {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("exit %d\n%s%s", c.ProcessState.ExitCode(), out.String(), errs.String())
	return out.String(), c.ProcessState.ExitCode()
}

func root(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func loadYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// dependOnSource reads every file of the program, so that a cached test result
// expires when one of them changes. The program is built in a separate process,
// whose inputs the test cache does not see.
func dependOnSource(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"cmd", "algorithms", "report", "scenarios", "sim"} {
		err := filepath.WalkDir(filepath.Join(root(t), dir), func(path string, _ os.DirEntry, err error) error {
			if err == nil {
				_, err = os.Stat(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// build builds the program for tests that do not test the build step.
func build(t *testing.T, dir string) {
	t.Helper()
	dependOnSource(t)
	c := exec.Command("go", "build", "-C", root(t), "-buildvcs=false", "-o", dir+string(filepath.Separator), "./cmd/limitgauge")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// step runs one step of the action with the given inputs. Other inputs have
// their defaults. An expression that is not an input fails the test.
func (m *machine) step(t *testing.T, a action, id string, inputs map[string]string) (string, int) {
	t.Helper()
	for _, s := range a.Runs.Steps {
		if s.ID != id {
			continue
		}
		env := map[string]string{}
		for name, value := range s.Env {
			input, ok := strings.CutPrefix(value, "${{ inputs.")
			input, closed := strings.CutSuffix(input, " }}")
			declared, known := a.Inputs[input]
			if !ok || !closed || !known {
				t.Fatalf("step %s: %s is %q, which is no input", id, name, value)
			}
			env[name] = declared.Default
			if given, ok := inputs[input]; ok {
				env[name] = given
			}
		}
		if strings.Contains(s.Run, "${{") || s.Shell != "bash" {
			t.Fatalf("step %s puts an expression into its script, or is not bash", id)
		}
		return m.bash(t, s.Run, env)
	}
	t.Fatalf("the action has no step %s", id)
	return "", 0
}

func loadAction(t *testing.T) (a action) {
	t.Helper()
	loadYAML(t, filepath.Join(root(t), "action.yml"), &a)
	if a.Runs.Using != "composite" || a.Outputs["exit-code"].Value != "${{ steps.gate.outputs.exit-code }}" {
		t.Fatalf("not the composite action: %+v", a)
	}
	return a
}

// The whole action builds itself and runs the gate. Its exit code, its output,
// its log and the job's summary state the same outcome.
func TestAction(t *testing.T) {
	a := loadAction(t)
	m := newMachine(t)
	dependOnSource(t)
	m.env["GITHUB_ACTION_PATH"] = root(t)
	if _, code := m.step(t, a, "build", nil); code != 0 {
		t.Fatalf("the build exits %d", code)
	}
	for _, g := range gates {
		t.Run(g.name, func(t *testing.T) {
			if err := os.MkdirAll(filepath.Join(m.workspace, "a dir"), 0o777); err != nil {
				t.Fatal(err)
			}
			m.write(t, filepath.Join(m.workspace, "a dir", "limits.yaml"), g.file)
			m.write(t, m.env["GITHUB_OUTPUT"], "")
			m.write(t, m.env["GITHUB_STEP_SUMMARY"], "from before\n")
			out, code := m.step(t, a, "gate", map[string]string{"file": "a dir/limits.yaml", "args": "--quiet\n  -o junit.xml"})
			if code != g.code {
				t.Errorf("exit code %d, want %d", code, g.code)
			}
			if got := m.read(t, m.env["GITHUB_OUTPUT"]); got != fmt.Sprintf("exit-code=%d\n", g.code) {
				t.Errorf("the output is %q", got)
			}
			if got := m.read(t, m.env["GITHUB_STEP_SUMMARY"]); !strings.HasPrefix(got, "from before\n### limitgauge gate: "+g.outcome+"\n") {
				t.Errorf("the summary is %q", got)
			}
			if annotated := strings.Contains(out, "::error "); annotated != (g.code != 0) {
				t.Errorf("annotated: %t, exit code %d", annotated, g.code)
			}
			want := "::error file=a dir/limits.yaml,line=8,col=43,title=gate failed%3A boundary%3A 100%25::"
			if g.code == 3 && !strings.HasPrefix(out, want) {
				t.Errorf("the annotation does not start with %s", want)
			}
			junit(t, m.read(t, filepath.Join(m.workspace, "junit.xml")), g.code)
		})
	}
}

// An input that comes from a pull request must be passed as one argument and
// not be interpreted by the shell.
func TestActionKeepsInputsArguments(t *testing.T) {
	a := loadAction(t)
	m := newMachine(t)
	m.write(t, filepath.Join(m.workspace, "a file"), "which * would match")
	bin := filepath.Join(m.temp, "limitgauge-bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	m.write(t, filepath.Join(bin, "limitgauge"), "#!/usr/bin/env bash\nprintf '<%s>\\n' \"$@\"\nexit 4\n")
	out, code := m.step(t, a, "gate", map[string]string{
		"file": "-x $(touch pwned) `touch pwned`.yaml", "baseline": "base line.json", "format": "junit", "args": "--seed 7 * $(touch pwned)",
		"arguments": "\n--min-effect\nover limit $(touch pwned)=2 %\r\n  *  \n",
	})
	want := "<gate>\n<--format>\n<junit>\n<--baseline>\n<base line.json>\n<--seed>\n<7>\n<*>\n<$(touch>\n<pwned)>\n" +
		"<--min-effect>\n<over limit $(touch pwned)=2 %>\n<  *  >\n<-->\n<-x $(touch pwned) `touch pwned`.yaml>\n"
	if out != want || code != 4 {
		t.Errorf("exit %d and the arguments\n%s\nwant exit 4 and\n%s", code, out, want)
	}
	if _, err := os.Stat(filepath.Join(m.workspace, "pwned")); err == nil {
		t.Error("an input was run as a command")
	}
}

// The action sets up Go where there is none, or one that cannot fetch the version
// of go.mod, and only there unless it is told otherwise.
func TestActionSetsUpGo(t *testing.T) {
	a := loadAction(t)
	setup, build := -1, -1
	for i, s := range a.Runs.Steps {
		switch {
		case s.ID == "build":
			build = i
		case strings.HasPrefix(s.Uses, "actions/setup-go@"):
			setup = i
			if s.If != "steps.go.outputs.setup == 'true' && (steps.cache.outputs.cache-hit != 'true' || inputs.setup-go == 'always')" || s.With["go-version"] != "stable" {
				t.Errorf("Go is set up by %+v", s)
			}
		}
	}
	if setup < 0 || setup > build {
		t.Errorf("step %d sets up Go, and step %d builds", setup, build)
	}
	for _, c := range []struct{ version, input, want string }{
		{"go1.26.1", "auto", "false"}, {"go1.21", "auto", "false"}, {"go1.20.14", "auto", "true"}, {"", "auto", "true"},
		{"go1.26.1", "always", "true"}, {"", "never", "false"}, {"go1.26.1", "yes", ""},
	} {
		m := newMachine(t)
		stub := filepath.Join(m.temp, "stub")
		if err := os.Mkdir(stub, 0o777); err != nil {
			t.Fatal(err)
		}
		m.write(t, filepath.Join(stub, "go"), "#!/bin/sh\n[ -n '"+c.version+"' ] && echo "+c.version+"\n")
		m.env["PATH"] = stub + string(os.PathListSeparator) + os.Getenv("PATH")
		_, code := m.step(t, a, "go", map[string]string{"setup-go": c.input})
		want := ""
		if c.want != "" {
			want = "setup=" + c.want + "\n"
		}
		if got := m.read(t, m.env["GITHUB_OUTPUT"]); got != want || (code == 0) != (want != "") {
			t.Errorf("with %q and setup-go %s: exit %d and the output %q, want %q", c.version, c.input, code, got, want)
		}
	}
}

// The program is kept by a key that changes with the source and with the version, and
// is built only if it was not kept.
func TestActionKeepsTheProgram(t *testing.T) {
	a := loadAction(t)
	conditions := map[string]string{}
	for _, s := range a.Runs.Steps {
		conditions[s.ID] = s.If
		if _, commit, ok := strings.Cut(s.Uses, "@"); ok && len(commit) != 40 {
			t.Errorf("%s is not pinned by its commit", s.Uses)
		}
		if s.ID == "cache" && (s.With["key"] != "${{ steps.source.outputs.key }}" || s.With["path"] != "${{ steps.source.outputs.bin }}") {
			t.Errorf("the cache has %+v", s.With)
		}
	}
	for id, want := range map[string]string{"source": "", "cache": "", "go": "", "gate": "", "build": "steps.cache.outputs.cache-hit != 'true'"} {
		if got, ok := conditions[id]; !ok || got != want {
			t.Errorf("step %s runs if %q, want %q", id, got, want)
		}
	}
	m := newMachine(t)
	source := filepath.Join(m.temp, "source")
	if err := os.MkdirAll(filepath.Join(source, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	m.env["GITHUB_ACTION_PATH"], m.env["RUNNER_OS"], m.env["RUNNER_ARCH"] = source, "Linux", "X64"
	key := func(file, text, version string) string {
		t.Helper()
		m.write(t, filepath.Join(source, file), text)
		m.write(t, m.env["GITHUB_OUTPUT"], "")
		if _, code := m.step(t, a, "source", map[string]string{"version": version}); code != 0 {
			t.Fatalf("exit %d", code)
		}
		return m.read(t, m.env["GITHUB_OUTPUT"])
	}
	first := key("a file.go", "package a", "")
	want := "bin=" + filepath.Join(m.temp, "limitgauge-bin") + "\nkey=limitgauge-Linux-X64-"
	if !strings.HasPrefix(first, want) || len(first) != len(want)+65 {
		t.Errorf("the output is %q, want %q and a digest", first, want)
	}
	if got := key(".git/index", "changes", ""); got != first {
		t.Errorf("the key of the same source is %q, want %q", got, first)
	}
	if other, version := key("a file.go", "package b", ""), key("a file.go", "package a", "v1.2.3"); other == first || version == first {
		t.Errorf("the keys of another source and of a version are %q and %q", other, version)
	}
	m.env["GITHUB_RUN_ID"] = "1"
	latest := key("a file.go", "package a", "latest")
	m.env["GITHUB_RUN_ID"] = "2"
	if key("a file.go", "package a", "latest") == latest {
		t.Error("the latest version has the same key in another run")
	}
}

// A given version is installed by its name. If the build fails, the step fails.
func TestActionInstallsAVersion(t *testing.T) {
	a := loadAction(t)
	m := newMachine(t)
	stub := filepath.Join(m.temp, "stub")
	if err := os.Mkdir(stub, 0o777); err != nil {
		t.Fatal(err)
	}
	m.write(t, filepath.Join(stub, "go"), "#!/bin/sh\necho \"$GOBIN $*\"\nexit 7\n")
	m.env["PATH"] = stub + string(os.PathListSeparator) + os.Getenv("PATH")
	out, code := m.step(t, a, "build", map[string]string{"version": "v1.2.3"})
	want := filepath.Join(m.temp, "limitgauge-bin") + " install github.com/limitgauge/limitgauge/cmd/limitgauge@v1.2.3\n"
	if out != want || code == 0 {
		t.Errorf("exit %d, go was called as %q, want a failure of %q", code, out, want)
	}
}

// The lines of the GitLab job run in one shell, as on GitLab, with a go command
// that installs this source. The exit code is the gate's, and the report that
// the job names exists.
func TestGitLabJob(t *testing.T) {
	var file map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports struct{ Junit string }
		}
	}
	loadYAML(t, "gitlab.yml", &file)
	job := file["limitgauge"]
	if job.Artifacts.When != "always" || job.Artifacts.Reports.Junit == "" {
		t.Fatalf("a failed job would not keep its report: %+v", job.Artifacts)
	}
	m := newMachine(t)
	built := filepath.Join(m.temp, "built")
	build(t, built)
	stub := filepath.Join(m.temp, "stub")
	if err := os.Mkdir(stub, 0o777); err != nil {
		t.Fatal(err)
	}
	m.write(t, filepath.Join(stub, "go"), "#!/bin/sh\n[ \"$*\" = 'install github.com/limitgauge/limitgauge/cmd/limitgauge@latest' ] || exit 9\nmkdir -p \"$GOBIN\" && cp '"+built+"'/* \"$GOBIN/\"\n")
	m.env["PATH"] = stub + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, g := range gates {
		t.Run(g.name, func(t *testing.T) {
			m.write(t, filepath.Join(m.workspace, job.Variables["LIMITGAUGE_FILE"]), g.file)
			_, code := m.bash(t, strings.Join(job.Script, "\n"), job.Variables)
			if code != g.code {
				t.Errorf("exit code %d, want %d", code, g.code)
			}
			junit(t, m.read(t, filepath.Join(m.workspace, job.Artifacts.Reports.Junit)), g.code)
		})
	}
}

// junit reads a report as a dashboard reads it.
func junit(t *testing.T, text string, code int) {
	t.Helper()
	var report struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	if err := xml.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("not a report: %v\n%s", err, text)
	}
	if report.Tests != 1 || (report.Failures == 1) != (code == 3) || (report.Errors == 1) != (code == 4) {
		t.Errorf("exit code %d, and the report has %+v", code, report)
	}
}
