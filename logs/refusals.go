package logs

import (
	"fmt"
	"slices"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
)

// refusals counts the rows that a limiter may have rejected.
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

// warnShaped adds a warning if a limiter has shaped the traffic, or may have: a server
// that is down or overloaded answers 503, too.
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
	says, judged := "a limiter has shaped this demand, and the retries of its callers are in it", "replay --verdict-field %s judges that limiter"
	if r.tooMany == 0 {
		says, judged = "a limiter may have refused them, or a server was down or overloaded; retries may be in this demand", "if it was a limiter, replay --verdict-field %s judges it"
	}
	text := fmt.Sprintf("%s of %d: %s", strings.Join(parts, " and "), b.noted.Rows, says)
	if b.o.Verdict == "" {
		text += "; " + fmt.Sprintf(judged, r.field)
	}
	if len(parts) > 1 && (b.o.Rejected == nil || slices.Contains(b.o.Rejected, "503")) {
		text += "; if 503 came from a server that was down or overloaded, let rejected be 429 alone (--rejected 429)"
	}
	c := &b.noted.Choices[0]
	c.Warnings = append(c.Warnings, text)
}
