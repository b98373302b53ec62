package scenarios

import (
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
			value := readYAML([]byte(text), func(place, string, ...any) {})
			if value == nil {
				value = &node{kind: scalar, text: text}
			}
			value.place = place{}.field(fields[i].Name)
			given.pairs = append(given.pairs, pair{key: fields[i].Name, value: value})
		}
	}
	b := binder{report: found.report}
	values := b.group(given, fields)
	var errs []error
	for _, p := range found.list {
		errs = append(errs, fmt.Errorf("%s: %s", p.Field, p.Message))
	}
	return values, errors.Join(errs...)
}
