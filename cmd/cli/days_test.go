package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// seconds returns a clock that runs a second at each look, so that a test needs no time.
func seconds() func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time { at = at.Add(time.Second); return at }
}

// until is a writer that interrupts the program once it has written a text.
type until struct {
	bytes.Buffer
	text string
	then func()
}

func (u *until) Write(p []byte) (int, error) {
	if strings.Contains(string(p), u.text) {
		u.then()
	}
	return u.Buffer.Write(p)
}

// tryFast executes the program with a fast clock, and interrupts it once it has
// said how long it will take.
func tryFast(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	errs := &until{text: "this run will take", then: cancel}
	a := &app{&terminal.Host{In: strings.NewReader(""), Out: &out, Err: errs, Lookup: func(string) (string, bool) { return "", false }, Clock: terminal.Clock{Now: seconds(), Every: time.Millisecond}}}
	root := a.commands()
	root.SetArgs(args)
	code = usage.Explain(errs, root.ExecuteContext(ctx))
	if code == usage.ExitUsage && out.Len() > 0 && args[0] != "gate" { // whose report says why
		t.Errorf("%q: refused, and printed %q", args, &out)
	}
	return code, errs.String()
}

// inFolderWith runs the test in a folder of its own that holds one file.
func inFolderWith(t *testing.T, name, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRunsOfDaysAreRefused runs 10^12 decisions, which no machine does in the
// time that this test takes a day to be.
func TestRunsOfDaysAreRefused(t *testing.T) {
	inFolderWith(t, "long.yaml", "version: 1\nduration: 100000h\nreplications: 100\nscenarios:\n- name: long\n  policy: {limit: 10/s}\n"+
		"  traffic: [{pattern: poisson, rate: 1000/s}]\n  algorithms: [token-bucket]\n  expect: {token-bucket: {over_limit_pct: '<= 5'}}\n")
	for _, command := range []string{
		"run long.yaml --no-plots", "run long.yaml -q --decisions d.csv -o d.json --no-plots",
		"run long.yaml --no-plots --until 1%", "explain token-bucket --in long.yaml",
	} {
		code, errs := tryFast(t, strings.Fields(command)...)
		if code != usage.ExitUsage || !strings.Contains(errs, ": give it less to simulate, or --yes to run it") {
			t.Errorf("%s: exit code %d, %s", command, code, errs)
		}
		if strings.Contains(command, "-q") {
			continue // says nothing, and would run for days
		}
		if code, errs = tryFast(t, strings.Fields(command+" --yes")...); code == usage.ExitUsage {
			t.Errorf("%s --yes: exit code %d, %s", command, code, errs)
		}
	}
	for _, command := range []string{"gate long.yaml", "gate long.yaml --yes"} { // which older pipelines give
		if code, errs := tryFast(t, strings.Fields(command)...); code != usage.ExitUnevaluated {
			t.Errorf("%s is refused by an estimate: exit code %d, %s", command, code, errs)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// TestHerdIsNotRefused runs a herd at the first instant, from which no time can be
// extrapolated, before an idle day.
func TestHerdIsNotRefused(t *testing.T) {
	inFolderWith(t, "herd.yaml", "version: 1\nduration: 24h\nscenarios:\n- name: herd\n  policy: {limit: 10/s}\n"+
		"  traffic: [{pattern: list, events: [{at: 0s, count: 400000}, {at: 23h, count: 1}]}]\n  algorithms: [token-bucket]\n")
	if code, errs := tryFast(t, "run", "herd.yaml", "--no-plots"); code == usage.ExitUsage { // a busy machine may be told how long it takes
		t.Errorf("exit code %d, %s", code, errs)
	}
}
