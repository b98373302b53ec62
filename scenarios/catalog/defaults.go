package catalog

import (
	"fmt"
	"maps"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Parsers read the kinds of values that are texts of their own, without a look at
// their field.
var Parsers = map[Kind]func(text string) (any, error){
	Int:      anyOf(units.ParseCount),
	Uint:     anyOf(units.ParseUint),
	Decimal:  anyOf(units.ParseDecimal),
	Share:    anyOf(units.ParseFraction),
	Size:     anyOf(units.ParseSize),
	Duration: anyOf(units.ParseDuration),
	Rate:     anyOf(units.ParseRate),
	Limit:    anyOf(units.ParseLimit),
}

// anyOf makes a parser return its result as any.
func anyOf[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(text string) (any, error) { return parse(text) }
}

// WithDefaults returns values and the defaults of the fields that values does not
// set. It panics if a default does not fit its field, because that is a mistake in
// the declaration, and if a field has fields of its own and a default.
func WithDefaults(fields []Field, values Values) Values {
	all := maps.Clone(values)
	if all == nil {
		all = Values{}
	}
	for i := range fields {
		if f := &fields[i]; f.Default != "" && !all.Set(f.Name) {
			all[f.Name] = Value{V: f.fallback()}
		}
	}
	return all
}

func (f *Field) fallback() any {
	switch f.Kind {
	case Bool:
		return f.Default == "true" || f.Default == "on"
	case String, Enum:
		return f.Default
	case IntOrEnum:
		if n, err := units.ParseCount(f.Default); err == nil {
			return n
		}
		return f.Default
	}
	parse := Parsers[f.Kind]
	if parse == nil {
		panic(fmt.Sprintf("catalog: the default of %s has fields of its own", f.Name))
	}
	v, err := parse(f.Default)
	if err != nil {
		panic(fmt.Sprintf("catalog: default of %s: %v", f.Name, err))
	}
	return v
}
