package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	fields map[string]any // json.Number, string, bool or nil
	order  []string       // the fields as written
	known  []string       // the arguments of this op
	err    error
	reply
}

// parse reads one flat JSON object, and at_ns and op from it.
func parse(line []byte) (*call, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, errors.New(`empty line: want a call such as {"at_ns": 0, "op": "take"}`)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, fmt.Errorf("malformed JSON: %w", err)
	}
	c := &call{fields: map[string]any{}}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, errors.New(`want a JSON object such as {"at_ns": 0, "op": "take"}`)
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("malformed JSON: %w", err)
		}
		name := t.(string)
		if t, err = d.Token(); err != nil {
			return nil, fmt.Errorf("malformed JSON: %w", err)
		}
		if _, nested := t.(json.Delim); nested {
			return nil, fmt.Errorf("%s: want a number or a string, not an object or a list", name)
		}
		if _, twice := c.fields[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		c.fields[name] = t
		c.order = append(c.order, name)
	}
	c.open("")
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

// instant reads a required time in ns.
func (c *call) instant(name string) int64 {
	return c.whole(name, "a whole number of nanoseconds within 64 bits")
}

// whole reads a required whole number of 64 bits.
func (c *call) whole(name, want string) int64 {
	if !c.given(name) {
		c.missing(name)
		return 0
	}
	n, err := strconv.ParseInt(c.number(name), 10, 64)
	if err != nil {
		c.wrong(name, want)
	}
	c.int(name, n)
	return n
}

// cost reads a whole number from 0 to 2^63-1, with 1 as the default.
func (c *call) cost(name string) int64 {
	n := int64(1)
	if c.given(name) {
		u, err := strconv.ParseUint(c.number(name), 10, 64)
		if err != nil || u > math.MaxInt64 {
			c.wrong(name, "a whole number from 0 to 2^63-1")
		}
		n = int64(u)
	}
	c.int(name, n)
	return n
}

// tokens reads a required whole number from 0 to 2^64-1.
func (c *call) tokens(name string) uint64 {
	return c.unsigned(name, "a whole number from 0 to 2^64-1")
}

// unsigned reads a required whole number of 64 bits without a sign.
func (c *call) unsigned(name, want string) uint64 {
	if !c.given(name) {
		c.missing(name)
		return 0
	}
	n, err := strconv.ParseUint(c.number(name), 10, 64)
	if err != nil {
		c.wrong(name, want)
	}
	c.uint(name, n)
	return n
}

// text reads a required string.
func (c *call) text(name string) string {
	if !c.given(name) {
		c.missing(name)
		return ""
	}
	s, ok := c.fields[name].(string)
	if !ok {
		c.wrong(name, "a string")
	}
	c.string(name, s)
	return s
}

// number returns the text of a field that is a JSON number, else "".
func (c *call) number(name string) string {
	n, _ := c.fields[name].(json.Number)
	return n.String()
}

func (c *call) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *call) missing(name string) { c.fail(fmt.Errorf("%s is missing", name)) }

func (c *call) wrong(name, want string) {
	got, _ := json.Marshal(c.fields[name])
	c.fail(fmt.Errorf("%s is %s: want %s", name, got, want))
}

// done returns the first error in the arguments, after all of them were read.
func (c *call) done() error {
	for _, name := range c.order {
		if !slices.Contains(c.known, name) {
			// The first two are at_ns and op.
			c.fail(fmt.Errorf("unknown argument %q: it takes %s", name, list(c.known[2:])))
		}
	}
	return c.err
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
