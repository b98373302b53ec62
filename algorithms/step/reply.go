package step

import (
	"encoding/json"

	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// reply is a JSON object under construction, with its fields in the order in which
// they are written.
type reply struct{ buf []byte }

// set writes a field. The value is a number, a string, nil or JSON.
func (r *reply) set(name string, value any) {
	separator := byte(',')
	if r.buf == nil {
		separator = '{'
	}
	field, _ := json.Marshal(map[string]any{name: value}) // of such values: cannot fail
	r.buf = append(append(r.buf, separator), field[1:len(field)-1]...)
}

// line closes the reply and returns it.
func (r *reply) line() []byte { return append(r.buf, '}') }

// setTime writes a time in ns, or null for counter.Never.
func (r *reply) setTime(name string, ns int64) {
	if ns == counter.Never {
		r.set(name, nil)
	} else {
		r.set(name, ns)
	}
}

func (r *reply) setVerdict(admitted bool) {
	if admitted {
		r.set("verdict", "admitted")
	} else {
		r.set("verdict", "rejected")
	}
}
