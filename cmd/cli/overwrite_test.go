package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// TestNoCommandReplacesWhatItReads runs every command that writes a file with one that it
// also reads: nothing is done then.
func TestNoCommandReplacesWhatItReads(t *testing.T) {
	t.Chdir(t.TempDir())
	texts := map[string]string{
		"s.yaml": "version: 1\nduration: 1s\nscenarios:\n  - {name: s, policy: {limit: 9/s}, traffic: [{pattern: constant, rate: 9/s}], algorithms: [token-bucket]}\n",
		"t.yaml": "version: 1\nscenarios:\n  - {name: t, policy: {limit: 9/s}, traffic: [{pattern: trace, file: a.csv}], algorithms: [token-bucket]}\n",
		"a.csv":  "time,key\n2026-01-01T00:00:00Z,a\n2026-01-01T00:00:01Z,a\n",
		"d.json": `{"schema_version": 1}`,
		"c.conf": "server { listen 80; }\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tried := map[string]bool{}
	for _, line := range []string{
		"run s.yaml -o s.yaml", "run t.yaml --decisions a.csv",
		"sweep s.yaml --vary policy.limit=1/s,2/s -o s.yaml", "sweep t.yaml --vary policy.limit=1/s,2/s -o a.csv",
		"gate s.yaml -o s.yaml", "gate t.yaml -o a.csv", "gate s.yaml --baseline d.json --plan -o s.yaml", "gate s.yaml --baseline d.json -o d.json",
		"tune s.yaml --least server_calls_per_s -o s.yaml", "tune t.yaml --least server_calls_per_s -o a.csv",
		"attack s.yaml -o s.yaml",
		"replay a.csv --limit 1/s -o a.csv", "replay a.csv --limit 1/s --decisions a.csv",
		"size a.csv -o a.csv",
		"check c.conf -o c.conf", "check c.conf --log a.csv -o a.csv", "check d.json --instead c.conf --log a.csv -o c.conf",
		"live s.yaml --target http --address http://127.0.0.1:1/ -o s.yaml",
		"report d.json -o d.json", "compare d.json -o d.json", "merge d.json -o d.json",
	} {
		args := strings.Fields(line)
		tried[args[0]] = true
		code, out, errs := try(args...)
		if code != usage.ExitUsage || out != "" || !strings.Contains(errs, ", which this command reads; choose another file") {
			t.Errorf("%s: exit code %d, %q, %s", line, code, out, errs)
		}
	}
	for name, text := range texts {
		if now, err := os.ReadFile(name); err != nil || string(now) != text {
			t.Errorf("%s was changed", name)
		}
	}
	for _, c := range Commands(Host{}).Commands() {
		if c.Flags().Lookup("output") != nil && !tried[c.Name()] {
			t.Errorf("%s writes a file, and was not tried", c.Name())
		}
	}
}
