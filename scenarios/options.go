package scenarios

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Options binds options given as YAML texts, as on a command line, to declared
// fields with their defaults. The error lists every problem by field.
func Options(fields []catalog.Field, texts map[string]string) (catalog.Values, error) {
	found := &problems{}
	given := &node{kind: mapping}
	for i := range fields {
		if text, ok := texts[fields[i].Name]; ok {
			value := cmp.Or(readYAML([]byte(text), func(place, string, ...any) {}), &node{kind: scalar, text: text})
			value.place = place{}.field(fields[i].Name)
			given.pairs = append(given.pairs, pair{key: fields[i].Name, value: value})
		}
	}
	b := binder{report: found.report}
	values := b.group(given, fields)
	errs := mapped(found.list, func(p Problem) error { return fmt.Errorf("%s: %s", p.Field, p.Message) })
	return values, errors.Join(errs...)
}
