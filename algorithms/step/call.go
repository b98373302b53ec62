package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// call is the call on one line.
type call struct {
	at int64
	op string
	object
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
	o, err := newObject(line)
	if err != nil {
		return nil, err
	}
	c := &call{object: *o}
	if c.at = c.instant("at_ns"); c.err == nil {
		c.op = c.text("op")
	}
	if c.err != nil {
		return nil, c.err
	}
	return c, nil
}

// cost reads the argument cost, with 1 as the default.
func (c *call) cost() int64 {
	if !c.given("cost") {
		c.set("cost", 1)
		return 1
	}
	return int64(required(&c.object, "cost", "a whole number from 0 to 2^63-1", unsigned(63)))
}

// key reads the argument key, with "" as the default.
func (c *call) key() string {
	if !c.given("key") {
		return ""
	}
	return c.text("key")
}

// done returns the first error in the arguments, after all of them were read.
func (c *call) done() error { return c.object.done(2) } // all calls take at_ns and op
