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
	see := describe.OutputSee()
	seen := map[string]bool{}
	for _, word := range describe.Words {
		if seen[word.Name] {
			t.Errorf("%s occurs twice", word.Name)
		}
		seen[word.Name] = true
		see[word.Name] = word.See
	}
	for name, commands := range see {
		if len(commands) == 0 {
			t.Errorf("%s leads to no command", name)
		}
		for _, command := range commands {
			verb, of, _ := strings.Cut(command, " ")
			ok := false
			switch verb {
			case "explain":
				ok = of != name && describe.Explain(io.Discard, sim.Catalog(), of) == nil
			case "step":
				_, ok = findStepped(of)
			case "help":
				code, _, _ := try("help", of)
				ok = code == usage.ExitOK
			case "run":
				ok = strings.HasPrefix(of, "FILE --reports ") || isShipped(of)
			}
			if !ok {
				t.Errorf("%s leads to limitgauge %s, which does not exist", name, command)
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
