package cli

import (
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/sim"
	"io"
	"strings"
	"testing"
)

// TestSourceWordsLeadSomewhere checks that every word names existing options and
// commands that work.
func TestSourceWordsLeadSomewhere(t *testing.T) {
	seen := map[string]bool{}
	for _, word := range sourceWords {
		if seen[word.name] {
			t.Errorf("%s occurs twice", word.name)
		}
		seen[word.name] = true
		for _, name := range word.options {
			optionNamed(name) // panics if there is none
		}
		if len(word.see) == 0 {
			t.Errorf("%s leads to no command", word.name)
		}
		for _, command := range word.see {
			verb, name, _ := strings.Cut(command, " ")
			ok := false
			switch verb {
			case "explain":
				ok = name != word.name && explain(io.Discard, sim.Catalog(), name) == nil
			case "step":
				_, ok = findStepped(name)
			case "help":
				code, _, _ := try("help", name)
				ok = code == usage.ExitOK
			case "run":
				ok = strings.HasPrefix(name, "FILE --reports ") || strings.HasPrefix(name, "databricks --scenario 'hot key'")
			}
			if !ok {
				t.Errorf("%s leads to limitgauge %s, which does not exist", word.name, command)
			}
		}
	}
}
