package targets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Options binds texts such as "timeout=50ms" to the options of a kind. An option that
// is a list takes one element of each text that names it. Options returns an error for
// a text without a name, an unknown or repeated name, a missing option, and a value of
// another kind or outside of its range.
func Options(kind *catalog.Entry, texts []string) (catalog.Values, error) {
	values := catalog.Values{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("%q: want NAME=VALUE", text)
		}
		f := catalog.Find(kind.Fields, name)
		if f == nil {
			return nil, fmt.Errorf("%s has no option %q%s: want %s", kind.Name, name, scenarios.Suggest(name, catalog.Names(kind.Fields)), strings.Join(catalog.Names(kind.Fields), ", "))
		}
		element := f
		if f.Kind == catalog.List {
			element = f.Elem
		} else if values.Set(name) {
			return nil, fmt.Errorf("%s: it is given twice", name)
		}
		var v any = value // of a text, which may be empty
		if element.Kind != catalog.String {
			var err error
			if v, err = scenarios.Value(element, value); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if f.Kind == catalog.List {
			v = append(values.List(name), v)
		}
		values[name] = catalog.Value{V: v, Given: true}
	}
	if i := slices.IndexFunc(kind.Fields, func(f catalog.Field) bool { return f.Required && !values.Set(f.Name) }); i >= 0 {
		return nil, fmt.Errorf("%s needs %s: %s", kind.Name, kind.Fields[i].Name, kind.Fields[i].Doc)
	}
	return values, nil
}
