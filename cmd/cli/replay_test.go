package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// A log that does not fit into memory gives the same results as in memory, and
// its temporary file is removed.
func TestReplayInLittleMemory(t *testing.T) {
	dir := t.TempDir()
	temporary := filepath.Join(dir, "temporary")
	if err := os.Mkdir(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	log := filepath.Join(dir, "log.csv")
	var text bytes.Buffer
	text.WriteString("time,ip\n")
	const rows = 200_000
	for i := range rows {
		fmt.Fprintf(&text, "%d,%d\n", i*7919%rows, i*104_729%rows)
	}
	if err := os.WriteFile(log, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	replay := func(memory string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		args := []string{"replay", log, "--limit", "1/min", "--time-format", "relative-ms", "--algorithms", "gcra",
			"--no-plots", "-q", "--format", "json", "--sort-memory", memory}
		code = Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Lookup: os.LookupEnv})
		return code, stdout.String(), stderr.String()
	}
	code, little, errs := replay("1MiB")
	if code != 0 {
		t.Fatal(errs)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, plenty, _ := replay("1GiB"); little != plenty {
		t.Errorf("with little memory\n%s\nwith plenty\n%s", little, plenty)
	}
	if err := os.Remove(temporary); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := replay("1MiB"); code != usage.ExitFailure || out != "" || !strings.Contains(errs, "temporary file") || !strings.Contains(errs, temporary) {
		t.Errorf("without a folder for temporary files: exit code %d, stdout %q, stderr %q", code, out, errs)
	}
	for _, memory := range []string{"64", "1KiB", "much"} {
		if code, _, errs := replay(memory); code != usage.ExitUsage || !strings.Contains(errs, "--sort-memory") {
			t.Errorf("--sort-memory %s: exit code %d, stderr %q", memory, code, errs)
		}
	}
}

// A log that is compressed with zstd is refused with the pipe that reads it.
func TestReplayZstd(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("day.zst", []byte("\x28\xb5\x2f\xfd\x24\x03\x19\x00\x00abc"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"replay": {"replay", "day.zst", "--limit", "1/min"},
		"size":   {"size", "day.zst"},
	} {
		var stdout, stderr bytes.Buffer
		code := Run(context.Background(), args, Host{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Lookup: os.LookupEnv})
		want = "limitgauge: zstd is not read: zstdcat day.zst | limitgauge " + want + " -\n"
		if code != usage.ExitUsage || stdout.Len() > 0 || stderr.String() != want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q", args, code, &stdout, &stderr, want)
		}
	}
}
