package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts of testdata compare stdout and stderr with")

// TestMain lets scripts run this test binary as the program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"limitgauge": func() { os.Exit(Process("", Own{})) }, "limiter": limiterProgram, "token-bucket-program": tokenBucketProgram})
}

// TestScripts runs the command line by scripts, one per topic.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition:           condition,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "live": live},
	})
}

// condition evaluates the condition exists:PATH, and root, which holds for the
// superuser.
func condition(cond string) (bool, error) {
	if path, ok := strings.CutPrefix(cond, "exists:"); ok {
		_, err := os.Stat(path)
		return err == nil, nil
	}
	if cond == "root" {
		return os.Geteuid() == 0, nil
	}
	return false, errors.New("unknown condition")
}

// exits runs the program and checks its exit code: exits CODE ARGUMENT...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("limitgauge", args[1:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// live runs the command live, which ends with 0, or with 4 on a machine that is too busy
// to send in time.
func live(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("limitgauge", append([]string{"live"}, args...)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitUnevaluated {
		return
	}
	ts.Check(err)
}
