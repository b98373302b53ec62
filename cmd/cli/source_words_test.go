package cli

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// TestSourceWordsLeadSomewhere checks that every word names commands that work.
func TestSourceWordsLeadSomewhere(t *testing.T) {
	seen := map[string]bool{}
	for _, word := range describe.Words {
		if seen[word.Name] {
			t.Errorf("%s occurs twice", word.Name)
		}
		seen[word.Name] = true
		if len(word.See) == 0 {
			t.Errorf("%s leads to no command", word.Name)
		}
		for _, command := range word.See {
			verb, name, _ := strings.Cut(command, " ")
			ok := false
			switch verb {
			case "explain":
				ok = name != word.Name && describe.Explain(io.Discard, sim.Catalog(), name) == nil
			case "step":
				_, ok = findStepped(name)
			case "help":
				code, _, _ := try("help", name)
				ok = code == usage.ExitOK
			case "run":
				ok = strings.HasPrefix(name, "FILE --reports ") || isShipped(name)
			}
			if !ok {
				t.Errorf("%s leads to limitgauge %s, which does not exist", word.Name, command)
			}
		}
	}
}

var oneScenario = regexp.MustCompile(`^(\S+) --scenario (?:'([^']+)'|(\S+))$`)

// isShipped reports whether words after run name a scenario of a shipped suite.
func isShipped(words string) bool {
	m := oneScenario.FindStringSubmatch(words)
	if m == nil {
		return false
	}
	suite, err := scenarios.FindSuite(m[1])
	return err == nil && slices.ContainsFunc(scenarios.Outline(suite.Source), func(h scenarios.Heading) bool { return h.Name == m[2]+m[3] })
}

// TestStagesLeadToTheirPresets checks that explain knows each stage that the suite databricks
// compares, and names its preset.
func TestStagesLeadToTheirPresets(t *testing.T) {
	suite, err := scenarios.FindSuite("databricks")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^  ([AR]\dr?)-\S+: +\{preset: ([\w-]+)\}$`).FindAllStringSubmatch(string(suite.Source), -1)
	stages := map[string]bool{}
	for _, row := range rows {
		stages[row[1]] = true
		_, text, _ := try("explain", row[1])
		if !strings.HasPrefix(text, row[1]+" (word of ") || !strings.Contains(text, "\n  limitgauge explain "+row[2]+"\n") {
			t.Errorf("explain %s does not lead to %s:\n%s", row[1], row[2], text)
		}
	}
	if len(stages) != 11 { // A0 to A6, A3r, R1 to R3
		t.Errorf("%d stages: %v", len(stages), stages)
	}
}

// TestWordHidesNoOption checks that explain of a word also describes the options of its name.
func TestWordHidesNoOption(t *testing.T) {
	code, text, _ := try("explain", "latency")
	if code != usage.ExitOK || !strings.HasPrefix(text, "latency (word of Databricks' post)\n") || !strings.Contains(text, "\n\nlatency (option)\n") {
		t.Errorf("explain latency: %d\n%s", code, text)
	}
}
