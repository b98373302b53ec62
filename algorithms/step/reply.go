package step

import (
	"encoding/json"
	"strconv"
)

// reply is a JSON object under construction, with its fields in the order in which
// they are written.
type reply struct {
	buf   []byte
	comma bool
}

// open starts an object: the reply itself, or a named object inside it.
func (r *reply) open(name string) {
	if name != "" {
		r.name(name)
	}
	r.buf, r.comma = append(r.buf, '{'), false
}

func (r *reply) close() { r.buf, r.comma = append(r.buf, '}'), true }

// line closes the reply and returns it.
func (r *reply) line() []byte { return append(r.buf, '}') }

func (r *reply) name(name string) {
	if r.comma {
		r.buf = append(r.buf, ',')
	}
	r.comma = true
	r.quote(name)
	r.buf = append(r.buf, ':')
}

func (r *reply) quote(s string) {
	q, _ := json.Marshal(s) // of a string: cannot fail
	r.buf = append(r.buf, q...)
}

func (r *reply) int(name string, n int64) {
	r.name(name)
	r.buf = strconv.AppendInt(r.buf, n, 10)
}

func (r *reply) uint(name string, n uint64) {
	r.name(name)
	r.buf = strconv.AppendUint(r.buf, n, 10)
}

func (r *reply) string(name, s string) {
	r.name(name)
	r.quote(s)
}

func (r *reply) null(name string) {
	r.name(name)
	r.buf = append(r.buf, "null"...)
}

func (r *reply) verdict(admitted bool) {
	if admitted {
		r.string("verdict", "admitted")
	} else {
		r.string("verdict", "rejected")
	}
}
