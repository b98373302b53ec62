package step

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
)

// object is a JSON object that the user writes: a call, a message in full or a row of
// one. Its arguments are read by name, in a fixed order; each one is checked, and
// repeated in the reply of a call. Then done returns the first error, which may be an
// argument that the object does not take.
type object struct {
	fields map[string]any // json.Number, string, bool, nil, or json.RawMessage of an object or a list
	order  []string       // the fields as written
	known  []string       // the arguments that it takes
	err    error
	reply
}

// newObject reads the fields of a JSON object. It refuses one that has a field twice.
func newObject(text json.RawMessage) (*object, error) {
	d := json.NewDecoder(bytes.NewReader(text)) // of valid JSON: neither Token nor Decode can fail
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, fmt.Errorf("want an object, not %s", text)
	}
	o := &object{fields: map[string]any{}}
	for d.More() {
		t, _ := d.Token()
		name := t.(string)
		if _, twice := o.fields[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		var value json.RawMessage
		d.Decode(&value)
		o.fields[name] = value
		if value[0] != '{' && value[0] != '[' {
			scalar := json.NewDecoder(bytes.NewReader(value))
			scalar.UseNumber()
			o.fields[name], _ = scalar.Token()
		}
		o.order = append(o.order, name)
	}
	return o, nil
}

// given reports whether an argument is present, and marks it as known.
func (o *object) given(name string) bool {
	if !slices.Contains(o.known, name) {
		o.known = append(o.known, name)
	}
	_, ok := o.fields[name]
	return ok
}

// required reads an argument and repeats it in the reply. parse reports whether
// the argument is valid for the op.
func required[T any](o *object, name, want string, parse func(field any) (T, bool)) (value T) {
	if !o.given(name) {
		o.fail(fmt.Errorf("%s is missing", name))
		return value
	}
	if _, nested := o.fields[name].(json.RawMessage); nested {
		o.fail(fmt.Errorf("%s: want %s, not an object or a list", name, want))
		return value
	}
	value, ok := parse(o.fields[name])
	if !ok {
		got, _ := json.Marshal(o.fields[name])
		o.fail(fmt.Errorf("%s is %s: want %s", name, got, want))
	}
	o.set(name, value)
	return value
}

func signed(field any) (int64, bool) {
	text, _ := field.(json.Number)
	n, err := text.Int64()
	return n, err == nil
}

// unsigned returns the parser of numbers without a sign, of this many bits.
func unsigned(bits int) func(field any) (uint64, bool) {
	return func(field any) (uint64, bool) {
		text, _ := field.(json.Number)
		n, err := strconv.ParseUint(text.String(), 10, bits)
		return n, err == nil
	}
}

// instant reads a required time in ns.
func (o *object) instant(name string) int64 {
	return required(o, name, "a whole number of nanoseconds within 64 bits", signed)
}

// number reads a whole number between two, with a default.
func (o *object) number(name string, byDefault, least, most int64) int64 {
	if !o.given(name) {
		return byDefault
	}
	return required(o, name, fmt.Sprintf("a whole number from %d to %d", least, most), func(field any) (int64, bool) {
		n, ok := signed(field)
		return n, ok && n >= least && n <= most
	})
}

// orNull reads a field that may be absent or null, which stand for 0.
func orNull[T any](o *object, name string, read func() T) (value T) {
	if o.given(name) && o.fields[name] != nil {
		value = read()
	}
	return value
}

// share reads a required share, in units of 2^-32.
func (o *object) share(name string) (share uint32) {
	required(o, name, "a number from 0 to below 1", func(field any) (text json.Number, ok bool) {
		text, _ = field.(json.Number)
		share, ok = batchreported.ParseRate(text.String())
		return text, ok
	})
	return share
}

// tokens reads a required whole number from 0 to 2^64-1.
func (o *object) tokens(name string) uint64 {
	return required(o, name, "a whole number from 0 to 2^64-1", unsigned(64))
}

// text reads a required string.
func (o *object) text(name string) string {
	return required(o, name, "a string", func(field any) (string, bool) {
		s, ok := field.(string)
		return s, ok
	})
}

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// done returns the first error in the arguments, after all of them were read. One that the
// object does not take comes before, because it may be another that is missing, misspelt. Of
// those that it takes, done does not name the first, common to all objects of the kind.
func (o *object) done(common int) error {
	for _, name := range o.order {
		if !slices.Contains(o.known, name) {
			takes := "none"
			if own := o.known[common:]; len(own) > 0 {
				takes = strings.Join(own, ", ")
			}
			return fmt.Errorf("unknown argument %q: it takes %s", name, takes)
		}
	}
	return o.err
}
