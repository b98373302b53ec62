package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/cmd"
	"github.com/limitgauge/limitgauge/gauge"
)

// TestMain turns the test binary into a command with limiters of its own if the
// environment asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("CMD_TEST_MAIN") != "" {
		rows := []gauge.Row{
			gauge.Use("mine", bucketAt(func(now time.Time) time.Time { return now })),
			gauge.Use("reader", bucketAt(func(time.Time) time.Time { return time.Now() })),
			gauge.Use("waiter", func(gauge.Policy) gauge.WaitFunc {
				return func(context.Context, string, int64) error { return nil }
			}),
		}
		if name := os.Getenv("CMD_TEST_ROW"); name != "" {
			rows = append(rows, gauge.Use(name, bucketAt(nil)))
		}
		cmd.Main(rows...)
	}
	os.Exit(m.Run())
}

// bucketAt returns a function that makes token buckets that all keys share. clock
// returns their time from the argument.
func bucketAt(clock func(now time.Time) time.Time) func(gauge.Policy) gauge.Func {
	return func(p gauge.Policy) gauge.Func {
		limit := counting.Limit{Count: p.Limit, Window: int64(p.Window), Burst: p.Burst}
		b := counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: p.Burst})
		return func(now time.Time, _ string, cost int64) bool { return b.Take(clock(now).UnixNano(), cost).Admitted() }
	}
}

// TestOwnCommand runs commands of a limitgauge with limiters of its own.
func TestOwnCommand(t *testing.T) {
	dir := t.TempDir()
	const file = "version: 1\nduration: 5s\nreplications: 5\nscenarios:\n  - name: steady\n    policy: {limit: 100/s}\n" +
		"    traffic: [{pattern: poisson, rate: 150/s}]\n    algorithms: [token-bucket, ROW]\n    expect: {ROW: {over_limit_pct: \"<= 30\"}}\n"
	for _, name := range []string{"mine", "reader", "waiter"} {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(strings.ReplaceAll(file, "ROW", name)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run mine.yaml --no-plots -o mine.json", 0, "over-limit"},
		{"gate mine.yaml", 0, "passed"},
		{"gate mine.json --baseline mine.json", 0, "passed"},
		{"compare mine.json mine.json", 0, "mine"},
		{"run mine.yaml --html mine.html --plots plots", 0, "open mine.html in a browser"},
		{"explain mine", 0, "Go code that implements gauge.Limiter"},
		{"explain mine --limit 100/s --rate 200/s", 0, "mine"},
		{"list algorithms", 0, "mine"},
		{"run reader.yaml --no-plots", 2, "reads the clock itself, which is virtual in tests only"},
		{"run waiter.yaml --no-plots", 2, "its calls block"},
	} {
		out, code := ownCommand(t, dir, c.args)
		if code != c.code || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", c.args, code, c.code, c.want, out)
		}
	}
}

// A command whose rows cannot run says so.
func TestWrongRow(t *testing.T) {
	for name, want := range map[string]string{
		"mine":         "limitgauge: two rows are called mine\n",
		"token-bucket": "limitgauge: a row cannot be called token-bucket: limitgauge has a limiter of that name\n",
	} {
		if out, code := ownCommand(t, t.TempDir(), "list", "CMD_TEST_ROW="+name); code != 1 || string(out) != want {
			t.Errorf("%s: exit code %d, want 1 and %q:\n%s", name, code, want, out)
		}
	}
}

// ownCommand runs the command with limiters of its own in a directory.
func ownCommand(t *testing.T, dir, args string, environment ...string) (out []byte, code int) {
	command := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(args)...)
	command.Dir, command.Env = dir, slices.Concat(os.Environ(), []string{"CMD_TEST_MAIN=1"}, environment)
	out, err := command.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	}
	return out, code
}
