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

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

var update = flag.Bool("update", false, "rewrite what the scripts of testdata compare stdout and stderr with")

// TestMain lets scripts run this test binary as the program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"limitgauge": program, "limiter": limiterProgram, "token-bucket-program": tokenBucketProgram})
}

// still is the variable with which the program of a script shows nothing that depends on
// the speed of the machine. A script about progress sets it to "".
const still = "LIMITGAUGE_STILL"

func program() { os.Exit(inProcess(terminal.Host{Still: os.Getenv(still) != ""})) }

// TestScripts runs the command line by scripts, one per topic.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			e.Setenv(still, "1")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "live": live, "measures": measures},
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
	if got, want := endOf(ts, neg, args); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// measures is exits for commands that send to a real limiter. They run again, a hundred
// times at most, if the machine is too busy to send in time: then nothing is certain.
func measures(ts *testscript.TestScript, neg bool, args []string) {
	for again := 0; ; again++ {
		got, want := endOf(ts, neg, args)
		late := strings.Contains(ts.ReadFile("stdout")+ts.ReadFile("stderr"), "the sender was late")
		switch {
		case late && again < 100:
		case got == want:
			return
		default:
			ts.Fatalf("exit code %d, want %d", got, want)
		}
	}
}

// endOf runs the program. The first argument is the exit code that is wanted.
func endOf(ts *testscript.TestScript, neg bool, args []string) (got, want int) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("limitgauge", args[1:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), want
	}
	ts.Check(err)
	return 0, want
}

// live runs the command live, which ends with 0, or with 4 on a machine that is too busy
// to send in time.
func live(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("limitgauge", append([]string{"live"}, args...)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == usage.ExitUnevaluated {
		return
	}
	ts.Check(err)
}
