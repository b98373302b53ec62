package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// call is the call on one line. An op reads its arguments by name, in a fixed order;
// each one is checked and repeated in the reply. Then done returns the first error,
// which may be an argument that the op does not have.
type call struct {
	at     int64
	op     string
	fields map[string]any // json.Number, string, bool, nil, or json.RawMessage of a message
	order  []string       // the fields as written
	known  []string       // the arguments of this op
	err    error
	reply
}

// parse reads one JSON object, and at_ns and op from it.
func parse(line []byte) (*call, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, errors.New(`empty line: want a call such as {"at_ns": 0, "op": "take"}`)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, fmt.Errorf("malformed JSON: %w", err)
	}
	if bytes.TrimSpace(line)[0] != '{' {
		return nil, errors.New(`want a JSON object such as {"at_ns": 0, "op": "take"}`)
	}
	members, order, err := membersOf(line)
	if err != nil {
		return nil, err
	}
	c := &call{fields: map[string]any{}, order: order}
	for name, value := range members {
		c.fields[name] = value
		if !isNested(value) {
			scalar := json.NewDecoder(bytes.NewReader(value))
			scalar.UseNumber()
			c.fields[name], _ = scalar.Token()
		}
	}
	if c.at = c.instant("at_ns"); c.err == nil {
		c.op = c.text("op")
	}
	if c.err != nil {
		return nil, c.err
	}
	return c, nil
}

// given reports whether an argument is present, and marks it as known.
func (c *call) given(name string) bool {
	if !slices.Contains(c.known, name) {
		c.known = append(c.known, name)
	}
	_, ok := c.fields[name]
	return ok
}

// required reads an argument and repeats it in the reply. parse reports whether
// the argument is valid for the op.
func required[T any](c *call, name, want string, parse func(field any) (T, bool)) (value T) {
	if !c.given(name) {
		c.fail(fmt.Errorf("%s is missing", name))
		return value
	}
	if _, nested := c.fields[name].(json.RawMessage); nested {
		c.fail(fmt.Errorf("%s: %w", name, errNested))
		return value
	}
	value, ok := parse(c.fields[name])
	if !ok {
		got, _ := json.Marshal(c.fields[name])
		c.fail(fmt.Errorf("%s is %s: want %s", name, got, want))
	}
	c.set(name, value)
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
func (c *call) instant(name string) int64 {
	return required(c, name, "a whole number of nanoseconds within 64 bits", signed)
}

// cost reads the argument cost, with 1 as the default.
func (c *call) cost() int64 {
	if !c.given("cost") {
		c.set("cost", 1)
		return 1
	}
	return int64(required(c, "cost", "a whole number from 0 to 2^63-1", unsigned(63)))
}

// tokens reads a required whole number from 0 to 2^64-1.
func (c *call) tokens(name string) uint64 {
	return required(c, name, "a whole number from 0 to 2^64-1", unsigned(64))
}

// text reads a required string.
func (c *call) text(name string) string {
	return required(c, name, "a string", func(field any) (string, bool) {
		s, ok := field.(string)
		return s, ok
	})
}

// key reads the argument key, with "" as the default.
func (c *call) key() string {
	if !c.given("key") {
		return ""
	}
	return c.text("key")
}

func (c *call) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// done returns the first error in the arguments, after all of them were read.
func (c *call) done() error {
	for _, name := range c.order {
		if !slices.Contains(c.known, name) {
			takes := "none"
			if own := c.known[2:]; len(own) > 0 { // the first two are at_ns and op
				takes = strings.Join(own, ", ")
			}
			c.fail(fmt.Errorf("unknown argument %q: it takes %s", name, takes))
		}
	}
	return c.err
}
