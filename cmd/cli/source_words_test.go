package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
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
				ok = strings.HasPrefix(name, "FILE --reports ") || strings.HasPrefix(name, "databricks --scenario 'hot key'")
			}
			if !ok {
				t.Errorf("%s leads to limitgauge %s, which does not exist", word.Name, command)
			}
		}
	}
}
