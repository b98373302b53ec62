// Package times reads the time stamps of logs: their notations, the units of
// numbers and the zones of local times. A sample of a file settles which of them
// the file has.
//
// The package makes no promise: it can change at any time.
package times

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Second is a second in ns.
const Second = int64(1e9)

// Clock reads the time stamps of one file.
//
//	rfc3339  2006-01-02T15:04:05.999Z; also a space for the T, slashes for the
//	         dashes, a comma for the point, any number of fractional digits,
//	         offsets Z, +hh:mm, +hhmm, +hh; without an offset UTC
//	clf      02/Jan/2006:15:04:05 -0700; also a space for the first colon, as Python writes it
//	layouts  those of ctime, HTTP, gin, Kibana, BIND, Go, and 20060102T150405Z
//	numbers  decimals, exponents included, since 1970 or since the trace's start
//
// auto reads all of them. Settle decides for a file which of them it has, and the unit of
// numbers. Without that, a number below 1e11 counts seconds, below 1e14
// milliseconds, below 1e17 microseconds, else nanoseconds. Stamps before 1970 or
// beyond the range of int64 nanoseconds (2262) are flawed.
type Clock struct {
	format  string
	shift   int       // numeric formats: power of ten from the stamp's unit to ns
	only    string    // what Settle found: dates, numbers or ""
	Others  []string  // formats that would fit too
	least   int64     // of Settle: numbers below it do not fit the unit
	most    int64     // nor do those from it on
	Numeric int64     // stamps that were read as numbers
	Dated   int64     // stamps that were read as dates
	written *notation // of the first date
	zone

	layouts     []string // of dates that are written otherwise
	dateText    string   // the last date
	dateSeconds int64    // Unix time at its start
}

// UnitShift returns the power of ten from a unit to nanoseconds.
func UnitShift(unit string) int {
	return map[string]int{"s": 9, "ms": 6, "us": 3}[unit[strings.LastIndexByte(unit, '-')+1:]]
}

// NewClock returns the clock of a file whose stamps have a format; "" is auto. A
// layout, which ParseLayout accepts, wins over the format.
func NewClock(format, layout string) Clock {
	c := Clock{layouts: knownLayouts}
	c.fix(cmp.Or(format, "auto"))
	if layout, _ = ParseLayout(layout); layout != "" {
		c.layouts, c.format = []string{layout, unpadded.Replace(layout)}, "layout"
	}
	return c
}

// relative reports whether numbers count from the recording's start.
func (c *Clock) relative() bool { return strings.HasPrefix(c.format, "relative-") }

// Parse reads a time stamp and rounds it down to ns. why is empty on success.
func (c *Clock) Parse(raw []byte) (ns int64, why string) {
	raw = unbracketed(raw)
	ns, why = c.parse(raw)
	if why != "" && c.format == "auto" && len(raw) > 13 {
		if at, ok := c.parseLayout(raw); ok {
			return at, ""
		}
	}
	return ns, why
}

func (c *Clock) parse(raw []byte) (ns int64, why string) {
	switch c.format {
	case "rfc3339":
		return c.parseDate(&rfc3339, raw)
	case "clf":
		return c.parseDate(&clf, raw)
	case "layout":
		ns, ok := c.parseLayout(raw)
		if !ok {
			return 0, "not written as " + c.layouts[0]
		}
		return ns, ""
	case "auto":
		switch {
		case len(raw) > 11 && (raw[4] == '-' || raw[4] == '/'):
			return c.parseDate(&rfc3339, raw)
		case len(raw) > 11 && raw[2] == '/':
			return c.parseDate(&clf, raw)
		}
	}
	var n text.Number
	if !n.Split(raw) {
		switch {
		case c.format == "auto":
			return 0, "not a time"
		case c.only != "" && dated(raw):
			return 0, "a date, in a file whose times are numbers"
		}
		return 0, text.NotNumber
	}
	shift := c.shift
	if c.format == "auto" {
		if c.only == "dates" {
			return 0, "a number, in a file whose times are dates"
		}
		shift = magnitudeShift(n.Point)
	}
	c.Numeric++
	at, why := n.Scaled(shift)
	if c.only != "" && (why == text.TooLarge || why == "" && (at.Floor < c.least || at.Floor >= c.most)) {
		return 0, "not in the unit of the file's other times"
	}
	return at.Floor, why
}

// magnitudeShift estimates the unit of a number with this many digits before
// the point: the present time has 10 digits in seconds, 13 in ms, 16 in us and
// 19 in ns.
func magnitudeShift(digits int) int {
	switch {
	case digits <= 11:
		return 9
	case digits <= 14:
		return 6
	case digits <= 17:
		return 3
	}
	return 0
}

// notation is one way to write dates with a time of day behind them.
type notation struct {
	name    string
	length  int      // of the date
	layouts []string // of the date, as in package time
	before  string   // the characters that may stand before the time of day
	flaw    string
}

var (
	rfc3339 = notation{"RFC 3339", 10, []string{"2006-01-02", "2006/01/02"}, "Tt ", "not an RFC 3339 time"}
	clf     = notation{"Common Log", 11, []string{"02/Jan/2006"}, ": ", "not a Common Log time"}
)

// parseDate reads a date with a time of day, and the fraction and offset behind
// them.
func (c *Clock) parseDate(n *notation, b []byte) (ns int64, why string) {
	if len(b) < n.length+9 || strings.IndexByte(n.before, b[n.length]) < 0 || !c.day(n, b[:n.length]) {
		return 0, n.flaw
	}
	sec, ok := DaySeconds(b[n.length+1:])
	if !ok {
		return 0, n.flaw
	}
	if c.Dated == 0 {
		c.written = n
	}
	return c.finish(sec, b[n.length+9:], n.flaw)
}

// day sets the current day. Most stamps of a log have the day of the previous
// one.
func (c *Clock) day(n *notation, text []byte) bool {
	if string(text) == c.dateText {
		return true
	}
	for _, layout := range n.layouts {
		// Parse accepts months in any case, Format writes the one of logs.
		if t, err := time.Parse(layout, string(text)); err == nil && t.Format(layout) == string(text) {
			c.dateText, c.dateSeconds = string(text), t.Unix()
			return true
		}
	}
	return false
}

// finish adds the day, and the fraction and offset in tail.
func (c *Clock) finish(sec int64, tail []byte, bad string) (ns int64, why string) {
	if len(tail) > 1 && (tail[0] == '.' || tail[0] == ',') {
		n := text.Digits(tail[1:])
		if n == 0 {
			return 0, bad
		}
		frac := tail[1 : 1+n]
		for i := range 9 {
			ns *= 10
			if i < n {
				ns += int64(frac[i] - '0')
			}
		}
		tail = tail[1+n:]
	}
	offset, ok := offsetSeconds(tail)
	if !ok {
		return 0, bad
	}
	sec += c.dateSeconds - offset
	if len(tail) == 0 {
		sec -= c.zone.east(sec)
	} else {
		c.zone.zoned++
	}
	switch {
	case sec < 0:
		return 0, "before 1970"
	case sec >= math.MaxInt64/Second:
		return 0, text.TooLarge
	}
	c.Dated++
	return sec*Second + ns, ""
}

// DaySeconds parses hh:mm:ss at the start of b. A leap second, :60, is the first
// second of the next minute.
func DaySeconds(b []byte) (int64, bool) {
	h, ok1 := number2(b[0:2])
	m, ok2 := number2(b[3:5])
	s, ok3 := number2(b[6:8])
	ok := ok1 && ok2 && ok3 && b[2] == ':' && b[5] == ':' && h < 24 && m < 60 && s <= 60
	return 3600*h + 60*m + s, ok
}

// offsetSeconds parses the text after a time of day. It returns seconds east of
// UTC.
func offsetSeconds(b []byte) (int64, bool) {
	if len(b) > 0 && b[0] == ' ' {
		b = b[1:]
		if len(b) == 0 {
			return 0, false
		}
	}
	switch string(b) {
	case "", "Z", "z", "UTC", "GMT":
		return 0, true
	}
	if b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	mm := []byte("00")
	switch {
	case len(b) == 3:
	case len(b) == 5:
		mm = b[3:]
	case len(b) == 6 && b[3] == ':':
		mm = b[4:]
	default:
		return 0, false
	}
	h, ok1 := number2(b[1:])
	m, ok2 := number2(mm)
	off := 3600*h + 60*m
	if b[0] == '-' {
		off = -off
	}
	return off, ok1 && ok2 && h < 24 && m < 60
}

// number2 parses two digits.
func number2(b []byte) (int64, bool) {
	x, y := b[0]-'0', b[1]-'0'
	return int64(x)*10 + int64(y), x <= 9 && y <= 9
}

// unbracketed returns a stamp without the brackets around it, which some loggers keep
// from Common Log.
func unbracketed(raw []byte) []byte {
	if n := len(raw); n > 1 && raw[0] == '[' && raw[n-1] == ']' {
		return raw[1 : n-1]
	}
	return raw
}

// dated reports whether a stamp is written like a date.
func dated(text []byte) bool {
	return len(text) > 11 && (text[4] == '-' || text[4] == '/' || text[2] == '/')
}

// fix sets the format of all stamps.
func (c *Clock) fix(format string) {
	c.format, c.shift = format, UnitShift(format)
}
