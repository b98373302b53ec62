package logs

import (
	"math"
	"strings"
)

const second = int64(1e9)

// clock reads the time stamps of one file.
//
//	rfc3339  2006-01-02T15:04:05.999Z; also a space for the T, slashes for the
//	         dashes, a comma for the point, any number of fractional digits,
//	         offsets Z, +hh:mm, +hhmm, +hh; without an offset UTC
//	clf      02/Jan/2006:15:04:05 -0700
//	numbers  decimals, exponents included, since 1970 or since the trace's start
//
// auto looks at each stamp: a number below 1e11 counts seconds, below 1e14
// milliseconds, below 1e17 microseconds, else nanoseconds. Stamps before 1970
// or beyond the range of int64 nanoseconds (2262) are flawed.
type clock struct {
	format   string
	shift    int   // numeric formats: power of ten from the stamp's unit to ns
	numeric  int64 // stamps that were read as numbers
	dated    int64 // stamps that were read as dates
	dateText [11]byte
	dateLen  int
	dateDay  int64 // days from 1970 to dateText
}

// unitShift returns the power of ten from a unit to nanoseconds.
func unitShift(unit string) int {
	switch strings.TrimPrefix(unit, "relative-") {
	case "s":
		return 9
	case "ms":
		return 6
	case "us":
		return 3
	}
	return 0
}

func newClock(format string) clock {
	if format == "" {
		format = "auto"
	}
	return clock{format: format, shift: unitShift(format)}
}

// parse reads a time stamp into out. why is empty on success.
func (c *clock) parse(text []byte, out *exact) (why string) {
	switch c.format {
	case "rfc3339":
		return c.parseDate(text, out)
	case "clf":
		return c.parseCLF(text, out)
	case "auto":
		switch {
		case len(text) > 11 && (text[4] == '-' || text[4] == '/'):
			return c.parseDate(text, out)
		case len(text) > 11 && text[2] == '/':
			return c.parseCLF(text, out)
		}
	}
	var n number
	if !n.split(text) {
		if c.format == "auto" {
			return "not a time"
		}
		return notNumber
	}
	shift := c.shift
	if c.format == "auto" {
		shift = magnitudeShift(n.point)
	}
	c.numeric++
	return n.store(shift, out)
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

// parseDate reads the variants of rfc3339.
func (c *clock) parseDate(b []byte, out *exact) string {
	const bad = "not an RFC 3339 time"
	if len(b) < 19 || (b[10] != 'T' && b[10] != 't' && b[10] != ' ') {
		return bad
	}
	if !c.cached(b[:10]) {
		year, ok1 := number2(b[0:2])
		century := year
		year, ok2 := number2(b[2:4])
		month, ok3 := number2(b[5:7])
		day, ok4 := number2(b[8:10])
		dashes := (b[4] == '-' || b[4] == '/') && b[7] == b[4]
		if !(ok1 && ok2 && ok3 && ok4 && dashes) || !c.cache(b[:10], 100*century+year, month, day) {
			return bad
		}
	}
	sec, ok := daySeconds(b[11:19])
	if !ok {
		return bad
	}
	return c.finish(sec, b[19:], out, bad)
}

// parseCLF reads the variants of the Common Log time.
func (c *clock) parseCLF(b []byte, out *exact) string {
	const bad = "not a Common Log time"
	if len(b) < 20 || b[11] != ':' {
		return bad
	}
	if !c.cached(b[:11]) {
		day, ok1 := number2(b[0:2])
		month := monthNumber(b[3:6])
		century, ok2 := number2(b[7:9])
		year, ok3 := number2(b[9:11])
		slashes := b[2] == '/' && b[6] == '/'
		if !(ok1 && ok2 && ok3 && slashes) || month == 0 || !c.cache(b[:11], 100*century+year, month, day) {
			return bad
		}
	}
	sec, ok := daySeconds(b[12:20])
	if !ok {
		return bad
	}
	return c.finish(sec, b[20:], out, bad)
}

// finish adds the day, and the fraction and offset in tail.
func (c *clock) finish(sec int64, tail []byte, out *exact, bad string) string {
	out.frac = out.frac[:0]
	ns := int64(0)
	if len(tail) > 1 && (tail[0] == '.' || tail[0] == ',') {
		n := digits(tail[1:])
		if n == 0 {
			return bad
		}
		frac := tail[1 : 1+n]
		for i := range 9 {
			ns *= 10
			if i < n {
				ns += int64(frac[i] - '0')
			}
		}
		if n > 9 {
			out.setFrac(frac[9:])
		}
		tail = tail[1+n:]
	}
	offset, ok := offsetSeconds(tail)
	if !ok {
		return bad
	}
	sec += 86400*c.dateDay - offset
	switch {
	case sec < 0:
		return "before 1970"
	case sec >= math.MaxInt64/second:
		return tooLarge
	}
	out.ns = sec*second + ns
	c.dated++
	return ""
}

func (c *clock) cached(date []byte) bool {
	return c.dateLen == len(date) && string(c.dateText[:c.dateLen]) == string(date)
}

// cache stores the day number of a date. It returns false if the date is
// invalid.
func (c *clock) cache(date []byte, year, month, day int64) bool {
	if month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return false
	}
	c.dateLen = copy(c.dateText[:], date)
	c.dateDay = dayNumber(year, month, day)
	return true
}

// daySeconds parses hh:mm:ss. A leap second, :60, is the first second of the
// next minute.
func daySeconds(b []byte) (int64, bool) {
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
	var hh, mm []byte
	switch len(b) {
	case 3:
		hh, mm = b[1:3], []byte("00")
	case 5:
		hh, mm = b[1:3], b[3:5]
	case 6:
		if b[3] != ':' {
			return 0, false
		}
		hh, mm = b[1:3], b[4:6]
	default:
		return 0, false
	}
	h, ok1 := number2(hh)
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

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

// monthNumber returns 1 to 12, or 0 if the text is not a month.
func monthNumber(b []byte) int64 {
	for i := 0; i < len(monthNames); i += 3 {
		if string(b) == monthNames[i:i+3] {
			return int64(i/3 + 1)
		}
	}
	return 0
}

func monthDays(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// dayNumber returns the days from 1970-01-01 to a date in the Gregorian
// calendar. It counts years from March, so that the leap day is the last day of
// a year, and groups 400 years into an era.
func dayNumber(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	// year is at least -1 here. One more era keeps the divisions on
	// non-negative numbers.
	year += 400
	return 365*year + year/4 - year/100 + year/400 + dayOfYear - 719468 - 146097
}
