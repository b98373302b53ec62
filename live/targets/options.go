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
		v, err := bind(element, value)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, value, err)
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

// bind returns the value of an option that is neither a list nor has options of its
// own.
func bind(f *catalog.Field, text string) (any, error) {
	switch f.Kind {
	case catalog.String:
		return text, nil
	case catalog.Enum:
		return text, catalog.ErrorIf(!slices.Contains(f.Enum, text), "want %s", strings.Join(f.Enum, ", "))
	case catalog.Bool:
		return text == "true", catalog.ErrorIf(text != "true" && text != "false", "want true or false")
	}
	parse := catalog.Parsers[f.Kind]
	v, err := parse(text)
	if err != nil {
		return nil, err
	}
	if n, ok := v.(int64); ok {
		least, most, err := bounds(f)
		if err != nil {
			return nil, err
		}
		return v, catalog.ErrorIf(n < least || n > most, "want %s to %s", f.Min, f.Max)
	}
	return v, nil
}

// bounds returns the range of an option that is a whole number or a duration.
func bounds(f *catalog.Field) (least, most int64, err error) {
	low, err := catalog.Parsers[f.Kind](f.Min)
	if err != nil {
		return 0, 0, err
	}
	high, err := catalog.Parsers[f.Kind](f.Max)
	if err != nil {
		return 0, 0, err
	}
	return low.(int64), high.(int64), nil
}
