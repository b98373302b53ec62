package targets

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Each option of each kind has a form that Options can bind.
func TestOptionsOfAllKinds(t *testing.T) {
	examples := map[catalog.Kind]string{catalog.String: "x", catalog.Int: "10", catalog.Duration: "10ms", catalog.Bool: "true"}
	for _, kind := range []catalog.Entry{RLS(), Redis(), Postgres()} {
		var texts []string
		for _, f := range kind.Fields {
			element := f
			if f.Kind == catalog.List {
				element = *f.Elem
			}
			example := examples[element.Kind]
			if element.Kind == catalog.Enum {
				example = element.Enum[0]
			}
			texts = append(texts, f.Name+"="+example)
		}
		if values, err := Options(&kind, texts); err != nil || len(values) != len(kind.Fields) {
			t.Errorf("%s: %v, %v", kind.Name, values, err)
		}
		catalog.WithDefaults(kind.Fields, nil) // panics if a default does not fit
	}
}
