package logs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
)

// DefaultRejected lists the values of Options.Verdict that mean rejected unless
// the options name others: what limiters answer over HTTP.
var DefaultRejected = []string{"429", "503"}

// verdictNames are the names of the codes of verdicts.
var verdictNames = []string{"admitted", "rejected"}

// HasVerdicts reports whether the rows say what the limiter that wrote the log
// decided.
func (r *Recording) HasVerdicts() bool { return r.shape.Verdict }

// verdictReader reads what the limiter that wrote a log decided.
type verdictReader struct {
	field    string
	none     string // why a row without a verdict is malformed
	rejected [][]byte
	hits     int64 // rows whose value means rejected
}

func newVerdictReader(o *Options) verdictReader {
	values := o.Rejected
	if values == nil {
		values = DefaultRejected
	}
	return verdictReader{field: o.Verdict, none: "no verdict in the field " + o.Verdict,
		rejected: lists.Map(values, func(text string) []byte { return []byte(text) })}
}

// of returns 1 if the value of a row means rejected, else 0.
func (v *verdictReader) of(raw []byte) (code int32, f text.Flaw) {
	if !formats.Present(raw) {
		return 0, text.Flaw{Why: v.none}
	}
	for _, r := range v.rejected {
		if bytes.Equal(raw, r) {
			return 1, text.Flaw{}
		}
	}
	return 0, text.Flaw{}
}

// warnNeverRejected adds a warning if no row was rejected: then the values that
// mean rejected may be written otherwise.
func (b *builder) warnNeverRejected() {
	v := &b.verdicts
	if v.field == "" || v.hits > 0 {
		return
	}
	c := &b.noted.Choices[0]
	c.Warnings = append(c.Warnings, fmt.Sprintf("no row has %s in the field %s, so the recorded limiter rejected nothing: --rejected names other values",
		strings.Join(texts(v.rejected), " or "), v.field))
}

func texts(list [][]byte) []string {
	return lists.Map(list, func(t []byte) string { return string(t) })
}
