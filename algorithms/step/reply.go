package step

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
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

func (r *reply) setVerdict(admitted bool) {
	if admitted {
		r.set("verdict", "admitted")
	} else {
		r.set("verdict", "rejected")
	}
}

// setShare writes a share in units of 2^-32.
func (r *reply) setShare(name string, share uint32) {
	r.set(name, json.Number(batchreported.RateText(share)))
}

// setFields writes the state of a counter.
func (r *reply) setFields(fields []counting.StateField) {
	for _, f := range fields {
		r.set(f.Name, f.Value)
	}
}

// setUnless writes a number, or null if it is the one that stands for none.
func (r *reply) setUnless(name string, n, none int64) {
	if n == none {
		r.set(name, nil)
	} else {
		r.set(name, n)
	}
}

// decimal returns a number in units of 2^-16 in its exact decimal form.
func decimal(n uint64) string {
	whole, rest := n>>16, n&(1<<16-1)
	text := strconv.FormatUint(whole, 10)
	if rest == 0 {
		return text
	}
	fraction := fmt.Sprintf("%016d", rest*152587890625) // 10^16/2^16
	return text + "." + strings.TrimRight(fraction, "0")
}
