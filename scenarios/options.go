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
			inside := &problems{}
			value := readYAML([]byte(text), inside.report)
			if value == nil {
				value = &node{kind: scalar, text: text}
			}
			given.pairs = append(given.pairs, pair{key: fields[i].Name, value: value})
		}
	}
	b := binder{report: found.report}
	values := b.group(given, fields, nil)
	var errs []error
	for _, p := range found.list {
		errs = append(errs, fmt.Errorf("%s: %s", p.Field, p.Message))
	}
	return values, errors.Join(errs...)
}
