package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// Every name that list prints can be explained and completed.
func TestExplainKnowsWhatListLists(t *testing.T) {
	proposed := (&app{&terminal.Host{}}).words(describe.Kinds...)()
	for _, kind := range describe.Kinds {
		rows := listing(sim.Catalog(), kind).Rows
		if len(rows) == 0 {
			t.Errorf("nothing is listed under %s", kind)
		}
		for _, row := range rows {
			if err := describe.Explain(io.Discard, sim.Catalog(), row[0]); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			if !slices.ContainsFunc(proposed, func(word string) bool { return strings.HasPrefix(word, row[0]+"\t") }) {
				t.Errorf("%s of %s is not proposed", row[0], kind)
			}
		}
	}
}

// If several subjects have the same name, explain prints all of them, except a
// counter or an enforcement with a preset of its name.
func TestExplainHidesNothing(t *testing.T) {
	what := map[string]string{
		"algorithms": "(algorithm: ", "counters": "(counter)", "enforcements": "(enforcement)", "patterns": "(traffic pattern)",
		"faults": "(fault)", "metrics": "(metric)", "scenarios": "(scenario file)", "words": "(word of ", "output": "(in the output: ",
	}
	presets := map[string]bool{}
	for _, kind := range describe.Kinds {
		for _, row := range listing(sim.Catalog(), kind).Rows {
			name := row[0]
			if kind == "algorithms" {
				presets[name] = true
			} else if presets[name] && (kind == "counters" || kind == "enforcements") {
				continue
			}
			var text strings.Builder
			if err := describe.Explain(&text, sim.Catalog(), name); err != nil {
				t.Fatal(err)
			}
			if head := name + " " + what[kind]; !strings.Contains("\n"+text.String(), "\n"+head) {
				t.Errorf("explain %s does not say %q", name, head)
			}
		}
	}
}

func TestExplainSaysWhatIsInASuite(t *testing.T) {
	for _, s := range scenarios.Suites() {
		var text strings.Builder
		if err := describe.Explain(&text, sim.Catalog(), s.Name); err != nil {
			t.Fatal(err)
		}
		headings := scenarios.Outline(s.Source)
		if len(headings) == 0 {
			t.Errorf("%s has no scenarios", s.Name)
		}
		for _, h := range headings {
			if !strings.Contains(text.String(), "\n  "+h.Name+"\n") {
				t.Errorf("explain %s does not name %q", s.Name, h.Name)
			}
		}
	}
}

// Scenarios may expect things of each kind of real limiters.
func TestTargetsCanBeExpected(t *testing.T) {
	for _, name := range describe.TargetNames() {
		if !slices.Contains(scenarios.Targets, name) {
			t.Errorf("scenarios.Targets lacks %s", name)
		}
	}
}
