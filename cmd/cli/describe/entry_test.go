package describe

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestFieldsFillLines checks that the texts of a field, of its choices and of the fields
// inside it fill lines of 96 columns: a word begins a line only if the one before has no
// room for it.
func TestFieldsFillLines(t *testing.T) {
	text := strings.Repeat("one three seven ", 20)
	for what, f := range map[string]catalog.Field{
		"field":  {Name: "f", Kind: catalog.Bool, Doc: text},
		"choice": {Name: "f", Kind: catalog.Union, Choices: []catalog.Entry{{Name: "c", Summary: text}}},
		"inside": {Name: "f", Kind: catalog.Group, Fields: []catalog.Field{{Name: "g", Kind: catalog.Bool, Doc: text}}},
	} {
		var w strings.Builder
		explainFields(&w, "Options", []catalog.Field{f}, nil)
		before := ""
		for line := range strings.Lines(w.String()) {
			line = strings.TrimRight(line, "\n")
			if len(line) > 96 {
				t.Errorf("%s: %d columns: %s", what, len(line), line)
			}
			if first := strings.Fields(line + " -")[0]; strings.Contains(before, "one") && len(before)+1+len(first) <= 96 {
				t.Errorf("%s: %q has room for %q", what, before, first)
			}
			before = line
		}
	}
}
