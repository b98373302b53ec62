package house

import (
	"os/exec"
	"strings"
	"testing"
)

// ofGauge are the modules that whoever imports gauge gets, with the reason for each.
// There may be at most mostOfGauge.
var ofGauge = map[string]string{
	"gopkg.in/yaml.v3":                     "reads scenario files",
	"github.com/olekukonko/tablewriter":    "draws the table of a failed test",
	"github.com/cespare/xxhash/v2":         "tablewriter",
	"github.com/clipperhouse/displaywidth": "tablewriter; widths of text",
	"github.com/clipperhouse/uax29/v2":     "tablewriter; widths of text",
	"github.com/fatih/color":               "tablewriter",
	"github.com/mattn/go-colorable":        "tablewriter",
	"github.com/mattn/go-isatty":           "tablewriter",
	"github.com/mattn/go-runewidth":        "tablewriter",
	"github.com/olekukonko/cat":            "tablewriter",
	"github.com/olekukonko/errors":         "tablewriter",
	"github.com/olekukonko/ll":             "tablewriter",
	"golang.org/x/sys":                     "tablewriter",
}

const mostOfGauge = 14

// TestModulesOfGauge checks that gauge needs no module but those listed, and each of them.
func TestModulesOfGauge(t *testing.T) {
	if len(ofGauge) > mostOfGauge {
		t.Errorf("%d modules are listed, want at most %d", len(ofGauge), mostOfGauge)
	}
	for _, wrong := range unlisted(modulesOf(t, "github.com/limitgauge/limitgauge/gauge"), ofGauge) {
		t.Error("gauge ", wrong)
	}
	found := unlisted(map[string]bool{"a": true, "b": true}, map[string]string{"b": "", "c": ""})
	if len(found) != 2 {
		t.Errorf("a module too many and one too few: %q", found)
	}
}

// unlisted returns what is wrong with the modules that a package needs.
func unlisted(needs map[string]bool, listed map[string]string) (wrong []string) {
	for module := range needs {
		if _, ok := listed[module]; !ok {
			wrong = append(wrong, "needs "+module+", which is not listed: import what needs it elsewhere, or list it with a reason")
		}
	}
	for module := range listed {
		if !needs[module] {
			wrong = append(wrong, "no longer needs "+module+": take it off the list")
		}
	}
	return wrong
}

// modulesOf returns the other modules that a package imports, directly or not.
func modulesOf(t *testing.T, path string) map[string]bool {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]bool{}
	for _, module := range strings.Fields(string(out)) {
		modules[module] = true
	}
	return modules
}
