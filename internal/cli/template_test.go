package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// try runs the program in this process.
func try(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(context.Background(), args, Host{strings.NewReader(""), &out, &errs, func(string) (string, bool) { return "", false }, ""})
	return code, out.String(), errs.String()
}

// TestTemplates starts from each template as a user does: init, then run or
// gate, with a log if the template needs one.
func TestTemplates(t *testing.T) {
	log, err := os.ReadFile("../../examples/access.log")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "access.log"), log, 0o666); err != nil {
		t.Fatal(err)
	}
	_, listing, _ := try("list", "scenarios")
	for _, suite := range scenarios.Templates() {
		t.Run(suite.Name, func(t *testing.T) {
			file := filepath.Join(dir, suite.Name+".yaml")
			if code, _, errs := try("init", file, "--template", suite.Name); code != exitOK {
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
			if code != exitOK {
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
