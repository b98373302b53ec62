package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// try runs the program in this process.
func try(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: func(string) (string, bool) { return "", false }})
	return code, out.String(), errs.String()
}

// TestTemplates starts from each template as a user does: init, then run or
// gate, with a log if the template needs one.
func TestTemplates(t *testing.T) {
	log, err := os.ReadFile("../../docs/examples/access.log")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "access.log"), log, 0o666); err != nil {
		t.Fatal(err)
	}
	_, listing, _ := try("list", "scenarios")
	for _, suite := range scenarios.Starters() {
		t.Run(suite.Name, func(t *testing.T) {
			file := filepath.Join(dir, suite.Name+".yaml")
			if code, _, errs := try("init", file, "--template", suite.Name); code != usage.ExitOK {
				t.Fatal(errs)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
			if !slices.Contains(lines[:5], "# yaml-language-server: $schema="+scenarios.SchemaURL) {
				t.Errorf("no line of its head names the schema for editors")
			}
			if len(lines) >= 40 || bytes.Count(text, []byte("#")) < 5 {
				t.Errorf("%d lines and few comments: nobody reads on in that", len(lines))
			}
			if !strings.Contains(listing, "\n  "+suite.Name+" ") {
				t.Errorf("not listed in\n%s", listing)
			}
			command := []string{"run", file, "-q", "--format", "json", "--replications", "2", "--no-plots"}
			gated := bytes.Contains(text, []byte("\n    expect:"))
			if gated {
				command = []string{"gate", file, "-q", "--format", "json"}
			}
			code, out, errs := try(command...)
			if code != usage.ExitOK {
				t.Fatalf("%s ends in %d: %s", command, code, errs)
			}
			f, problems := scenarios.Load(file, text, dir, sim.Catalog())
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			for _, s := range f.Scenarios {
				if !strings.Contains(out, s.Name) || s.About == "" && !gated {
					t.Errorf("scenario %q says nothing of itself or is not in the results", s.Name)
				}
			}
		})
	}
}

// TestSuitesAreTemplates writes every shipped file into a folder, where it must be valid. The
// folder holds the log that one of them needs.
func TestSuitesAreTemplates(t *testing.T) {
	dir := t.TempDir()
	log := "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1\n192.0.2.1 - - [01/Jan/2026:00:10:00 +0000] \"GET / HTTP/1.1\" 200 1\n"
	if err := os.WriteFile(filepath.Join(dir, "access.log"), []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	_, listing, _ := try("list", "scenarios")
	for _, suite := range scenarios.Suites() {
		file := filepath.Join(dir, suite.Name+".yaml")
		code, _, said := try("init", file, "--template", suite.Name)
		if code != usage.ExitOK {
			t.Errorf("%s: %s", suite.Name, said)
			continue
		}
		if !strings.Contains(listing, "\n  "+suite.Name+" ") {
			t.Errorf("%s is not in\n%s", suite.Name, listing)
		}
		if code, _, errs := try("validate", file); code != usage.ExitOK {
			t.Errorf("%s is invalid: %s", suite.Name, errs)
		}
	}
}
