package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Read fills in the fields of a struct that have an option tag from the options
// that the tags name. With the tag `option:"name"` a field takes the option's
// value. With `option:"name=word"` a bool reports whether the value is that word.
// With `option:"name=a|b|c"` an unsigned integer takes the position of the value
// among the words. A Choice counts as its name. An unset option, or one with
// another word, leaves the field as it is.
func (v Values) Read(config any) {
	s := reflect.ValueOf(config).Elem()
	for i := range s.NumField() {
		name, words, enum := strings.Cut(s.Type().Field(i).Tag.Get("option"), "=")
		x, field := v[name].V, s.Field(i)
		if c, ok := x.(Choice); ok && enum {
			x = c.Name
		}
		switch {
		case x == nil:
		case !enum:
			field.Set(reflect.ValueOf(x).Convert(field.Type()))
		case field.Kind() == reflect.Bool:
			field.SetBool(x == words)
		default:
			if place := slices.Index(strings.Split(words, "|"), x.(string)); place >= 0 {
				field.SetUint(uint64(place))
			}
		}
	}
}

// ErrorIf returns an error with this text if the condition holds, else nil. Pass
// a list of them to cmp.Or for the first error.
func ErrorIf(condition bool, format string, args ...any) error {
	if condition {
		return fmt.Errorf(format, args...)
	}
	return nil
}
