package logs

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// MaxSpan is the longest time between the first and the last replayed request
// in ns: 100 years of 365.25 days. Times are int64 nanoseconds, and sums of a
// few of them must not overflow.
const MaxSpan = 36525 * 86400 * times.Second

const maxSpanText = "100 years"

// boundSpan returns an error if times from first to last exceed the bounds. what
// names them.
func boundSpan(what string, first, last int64) *text.Error {
	switch {
	case last-first > MaxSpan:
		return text.WrongOptions("%s lasts longer than %s: from %s to %s", what, maxSpanText, format.Instant(first), format.Instant(last))
	case last >= times.LastInstant:
		return text.WrongOptions("%s ends after the year 2199: at %s", what, format.Instant(last))
	}
	return nil
}

// place is a record's position.
type place struct {
	file string
	line int64
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// ends holds the earliest and the latest time so far, and where they were read.
type ends struct {
	any         bool
	first, last int64
	from, to    place
}

// beyond reports whether a time lies outside what has been seen.
func (e *ends) beyond(t int64) bool { return !e.any || t < e.first || t > e.last }

// extend includes a time that lies beyond.
func (e *ends) extend(t int64, at place) {
	if !e.any || t < e.first {
		e.first, e.from = t, at
	}
	if !e.any || t > e.last {
		e.last, e.to = t, at
	}
	e.any = true
}

// check returns an error if the times exceed the bounds.
func (e *ends) check() error {
	if !e.any {
		return nil
	}
	err := boundSpan("the recording", e.first, e.last)
	if err == nil {
		return nil
	}
	err.Message += fmt.Sprintf(": the first stamp is at %s, the last at %s; is the unit right (--time-format)? --start and --end leave out stray stamps", e.from, e.to)
	return err
}
