package gauge_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/gauge"
)

// TestMain turns the test binary into a command with limiters of its own if the
// environment asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("GAUGE_TEST_MAIN") != "" {
		gauge.Main(
			gauge.Use("mine", counters("token-bucket", false)),
			gauge.Use("reader", counters("token-bucket", true)),
			gauge.Use("waiter", newSleeper),
		)
	}
	os.Exit(m.Run())
}

// TestOwnCommand runs commands of a limitgauge with limiters of its own.
func TestOwnCommand(t *testing.T) {
	dir := t.TempDir()
	const file = "version: 1\nduration: 5s\nreplications: 5\nscenarios:\n  - name: steady\n    policy: {limit: 100/s}\n" +
		"    traffic: [{pattern: poisson, rate: 150/s}]\n    algorithms: [token-bucket, ROW]\n    expect: {ROW: {over_limit_pct: \"<= 30\"}}\n"
	for _, name := range []string{"mine", "reader", "waiter"} {
		write(t, filepath.Join(dir, name+".yaml"), strings.ReplaceAll(file, "ROW", name))
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
		{"run mine.yaml --html mine.html --plots plots", 0, "wrote mine.html"},
		{"explain mine", 0, "Go code that implements gauge.Limiter"},
		{"explain mine --limit 100/s --rate 200/s", 0, "mine"},
		{"list algorithms", 0, "mine"},
		{"run reader.yaml --no-plots", 2, "reads the clock itself, which is virtual in tests only"},
		{"run waiter.yaml --no-plots", 2, "its calls block"},
	} {
		command := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
		command.Dir, command.Env = dir, append(os.Environ(), "GAUGE_TEST_MAIN=1")
		out, err := command.CombinedOutput()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		if code != c.code || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", c.args, code, c.code, c.want, out)
		}
	}
}
