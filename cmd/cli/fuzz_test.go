package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// FuzzReplay reads arbitrary text as a log, simulates it against each reference
// and renders the result as a table and as a page. Any text is either replayed
// or refused with a message; nothing panics.
func FuzzReplay(f *testing.F) {
	for _, seed := range []string{
		"t\n0\n9223300000\n", "time_ms,ip\n0,a\n5,b\n", "time,key\n0.5,a\n1e9,b\n",
		`h - - [01/Jan/1970:00:00:01 +0000] "GET / HTTP/1.1" 200 5` + "\n",
		`{"time":"2023-10-29T02:30:00","ip":"192.0.2.1"}` + "\n", "date,time,ip\n2023-07-01,12:00:00,a\n",
		"end;duration;ip\n7258118399;7258118399;a\n", "time_ns\n9223372036854775807\n0\n",
	} {
		for how := range byte(6) {
			f.Add(how, seed)
		}
	}
	page := filepath.Join(f.TempDir(), "page.html")
	references := []string{"token-bucket", "sliding-log", "fixed-window"}
	limits := []string{"1/s", "3/ms", "100/7d", "1/36500d"}
	f.Fuzz(func(t *testing.T, how byte, log string) {
		args := []string{"replay", "-", "--reference", references[how%3], "--limit", limits[how/3%4],
			"--algorithms", "fixed-window,token-bucket", "--no-plots", "-q", "--shared"}
		if how >= 128 {
			args = append(args, "--time-format", "s", "--time-zone", "Europe/Berlin", "--malformed", "allow", "--repeat", "3")
		}
		var stdout, stderr bytes.Buffer
		none := func(string) (string, bool) { return "", false }
		code := Run(context.Background(), append(args, "--html", page), terminal.Host{In: strings.NewReader(log), Out: &stdout, Err: &stderr, Lookup: none})
		if !(code == usage.ExitOK && stdout.Len() > 0) && !(code == usage.ExitUsage && stdout.Len() == 0 && stderr.Len() > 0) {
			t.Fatalf("exit code %d, %d bytes written, stderr %s", code, stdout.Len(), stderr.String())
		}
	})
}
