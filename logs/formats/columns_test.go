package formats

import (
	"slices"
	"strings"
	"testing"
)

// TestColumnsAreFound checks that each name of each column of each format belongs to that
// column.
func TestColumnsAreFound(t *testing.T) {
	for _, f := range All {
		for _, c := range f.columns {
			for _, name := range slices.Concat([]string{c.name}, strings.Fields(c.aliases)) {
				if found, ok := f.column(name); !ok || found != c {
					t.Errorf("%s: %s belongs to %+v, %t; want %+v", f.Name, name, found, ok, c)
				}
			}
		}
		if found, ok := f.column("no column"); ok {
			t.Errorf("%s: no column belongs to %+v", f.Name, found)
		}
	}
}
