package house

import (
	"maps"
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

// ofProgram are the modules that limitgauge needs beside those of gauge.
// There may be at most mostOfProgram in both lists.
var ofProgram = map[string]string{
	"github.com/spf13/cobra":           "commands",
	"github.com/spf13/pflag":           "cobra; which flags were given",
	"github.com/lib/pq":                "calibrate sql and sql check",
	"golang.org/x/term":                "is it a terminal, and how wide",
	"golang.org/x/text":                "names of files of plots",
	"gonum.org/v1/plot":                "draws plots",
	"codeberg.org/go-fonts/liberation": "plot",
	"codeberg.org/go-latex/latex":      "plot",
	"git.sr.ht/~sbinet/gg":             "plot",
	"github.com/golang/freetype":       "plot",
	"golang.org/x/image":               "plot",
}

const mostOfGauge, mostOfProgram = 14, 24

// TestModules checks that gauge and the program need no module but those listed, and
// each of them.
func TestModules(t *testing.T) {
	program := maps.Clone(ofGauge)
	maps.Copy(program, ofProgram)
	for _, product := range []struct {
		path   string
		listed map[string]string
		most   int
	}{{"gauge", ofGauge, mostOfGauge}, {"cmd/limitgauge", program, mostOfProgram}} {
		if len(product.listed) > product.most {
			t.Errorf("%s: %d modules are listed, want at most %d", product.path, len(product.listed), product.most)
		}
		for _, wrong := range unlisted(modulesOf(t, "github.com/limitgauge/limitgauge/"+product.path), product.listed) {
			t.Error(product.path, " ", wrong)
		}
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
