//go:build network

package redis

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
)

// reply says how the reply of a script is read.
type reply struct {
	fields   []string
	rejected func(verdict float64) bool
}

// readReply returns how a reply with these elements is read.
func readReply(elements []any) (r reply, err error) {
	r.fields = lists.Map(elements, func(e any) string { return e.(string) })
	if !slices.Contains(r.fields, "verdict") {
		return r, errors.New("reply: no element is the verdict")
	}
	return r, nil
}

var errReply = targets.Failure("reply without a verdict")

// read returns the answer of a reply.
func (r *reply) read(value any) (exchange.Answer, error) {
	a := exchange.Plain(false)
	elements, ok := value.([]any)
	if !ok {
		elements = []any{value}
		if len(r.fields) > 1 {
			return a, errReply
		}
	}
	decided := false
	for i, field := range r.fields {
		if i >= len(elements) {
			break
		}
		n, whole, ok := number(elements[i])
		switch {
		case field == "verdict":
			decided = ok
			a.Admit = ok && !r.rejected(n)
		case field == "ignored" || !ok || n < 0: // a negative number says that there is none
		case field == "remaining":
			a.Remaining = int64(min(n, 1<<62))
		default:
			setTime(&a, field, n, whole)
		}
	}
	if !decided {
		return exchange.Plain(false), errReply
	}
	return a, nil
}

// setTime sets a field that holds a time, such as retry_after_ms.
func setTime(a *exchange.Answer, field string, n float64, whole bool) {
	unit := strings.LastIndexByte(field, '_')
	unitNs := unitsNs[field[unit:]]
	ns := int64(min(n*unitNs, 1<<62))
	switch field[:unit] {
	case "retry_after":
		a.RetryAfterNs, a.RetryUnitNs = ns, 1 // a decimal number
		if whole {
			a.RetryUnitNs = int64(unitNs)
		}
	case "reset":
		a.ResetNs = ns
	case "wait":
		a.WaitNs = ns
	}
}

// unitsNs are the units of times in replies.
var unitsNs = map[string]float64{"_s": 1e9, "_ms": 1e6, "_us": 1e3}

// number returns the number that an element of a reply is, and whether it was given
// as a whole number.
func number(element any) (n float64, whole, ok bool) {
	switch x := element.(type) {
	case int64:
		return float64(x), true, true
	case []byte:
		n, err := strconv.ParseFloat(string(x), 64)
		return n, false, err == nil && !math.IsNaN(n)
	}
	return 0, false, false
}
