package logs

import (
	"fmt"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
)

// refusals counts the rows that a limiter seems to have rejected.
type refusals struct {
	field             string // the status, as a file calls it
	tooMany           int64  // 429
	serverUnavailable int64  // 503
}

// count takes in the status of a row. It may be text of JSON.
func (r *refusals) count(status []byte) {
	if len(status) == 5 && status[0] == '"' {
		status = status[1:4]
	}
	switch string(status) {
	case "429":
		r.tooMany++
	case "503":
		r.serverUnavailable++
	}
}

// warnShaped adds a warning if a limiter has shaped the traffic.
func (b *builder) warnShaped() {
	r := &b.refusals
	var parts []string
	if r.tooMany > 0 {
		parts = append(parts, fmt.Sprintf("%s with %s 429", words.Count(r.tooMany, "row"), r.field))
	}
	if r.serverUnavailable > 0 {
		parts = append(parts, fmt.Sprintf("%s with %s 503", words.Count(r.serverUnavailable, "row"), r.field))
	}
	if parts == nil {
		return
	}
	text := strings.Join(parts, " and ") + fmt.Sprintf(" of %d: a limiter has shaped this demand, and the retries of its callers are in it", b.rows)
	if b.o.Verdict == "" {
		text += fmt.Sprintf("; replay --verdict-field %s judges that limiter", r.field)
	}
	c := &b.choices[0]
	c.Warnings = append(c.Warnings, text)
}
